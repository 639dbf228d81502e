// Solves whole games with few checkers a side by value iteration: sweeps over all pairs of configurations until nothing
// changes, first the equities with and without a cube, then the chances of the cubeless best plays.
//
// The plays of a configuration depend on the other side in two ways alone: four checkers close two points at most, and single
// checkers that are landed on are hit. So the generator of every play is asked once for each configuration, roll and set of closed
// points, with a single checker of the other side on every other point: which of them it hit says where the play lands.
//
// A slice leaves out the pairs in which both sides have more than `against` checkers on the board. No play leads from one of the
// others to one of these, so the values of a slice are those of the whole.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/step.hpp"
#include "tables/contact.hpp"

namespace barpoint {

class ContactSolver {
  public:
    // against: 1 to checkers; `checkers` for the whole.
    ContactSolver(const Rules& rules, int checkers, int against);

    enum class Stage { values, probabilities, done };

    int checkers() const { return checkers_; }
    int against() const { return against_; }
    int rows() const { return static_cast<int>(chances_.size()); }
    std::uint32_t size() const { return size_; }
    int states() const { return states_; }
    bool complete() const { return stage_ == Stage::done; }

    // Solves `count` more configurations; the result does not depend on the number of threads.
    void advance(std::uint32_t count, int threads);

    // Pairs of configurations with a place in the table, also those that cannot be.
    std::size_t pairs() const { return pair(size_, 0); }
    // Whether the pair is in the slice; else there is no place for it.
    bool holds(std::uint32_t us, std::uint32_t them) const { return us < few_ || them < few_; }

    // Equities at the start of a turn, by holder, of a pair that the slice holds.
    const double* at(std::uint32_t us, std::uint32_t them, int state) const {
        return &values_[offset(us, them) + static_cast<std::size_t>(state) * kContactHolders];
    }
    // Cubeless equity of the best play of a roll that nobody rerolls; -4 where the position is impossible.
    double row_equity(std::uint32_t us, std::uint32_t them, int row) const;

    // One row of the finished table, [size, states, kContactCell]; cells of impossible positions are 0.
    void row(std::uint32_t us, float* out) const;

    // What is needed to go on later, between two calls of advance(); the same values come out as without a break.
    struct Progress {
        Stage stage = Stage::values;
        int sweep = 0;
        std::uint32_t done = 1;  // configurations
        double change = 0;       // so far in this sweep
        double last_change = 1;  // of the last whole sweep
    };
    Progress progress() const { return {stage_, sweep_, done_, change_, last_change_}; }
    const std::vector<double>& values() const { return values_; }
    const std::vector<float>& probabilities() const { return probabilities_; }
    // Raises std::invalid_argument where the sizes are not those of this table.
    void resume(const Progress& progress, const double* values, std::size_t values_count, const float* probabilities,
                std::size_t probabilities_count);

  private:
    struct Reply {
        std::uint32_t landed;  // points touched where the other side might have stood, in the mover's numbers
        std::uint32_t next;    // the mover's configuration
    };
    struct Span {
        std::uint32_t first, last;  // of replies_
    };
    // What a configuration of the other side means for the mover: what it closes, and where it ends up when hit.
    struct Target {
        std::size_t closed = 0;                       // the number of its set of closed points
        std::array<int, kMaxSolvedCheckers> blots;    // in the mover's numbers; a bit that is never set where there are fewer
        std::array<std::uint32_t, 16> hit;            // configurations by which of the blots are hit

        std::size_t hits(std::uint32_t landed) const {
            return (landed >> blots[0] & 1) | (landed >> blots[1] & 1) << 1 | (landed >> blots[2] & 1) << 2 | (landed >> blots[3] & 1) << 3;
        }
    };

    std::size_t offset(std::uint32_t us, std::uint32_t them) const {
        return pair(us, them) * static_cast<std::size_t>(states_) * kContactHolders;
    }
    // The row of a configuration with more than `against` checkers ends where the other side has more too.
    std::size_t pair(std::uint32_t us, std::uint32_t them) const {
        const std::size_t rows = us, few = few_;
        return (us < few_ ? rows * size_ : few * size_ + (rows - few) * few) + them;
    }
    std::size_t probability_offset(std::uint32_t us, std::uint32_t them) const {
        return pair(us, them) * static_cast<std::size_t>(states_) * kMaxProbabilities;
    }
    std::size_t span_index(std::uint32_t us, std::size_t closed, std::size_t row) const {
        return first_span_[us] + closed * chances_.size() + row;
    }
    const Span& span(std::uint32_t us, std::size_t closed, std::size_t row) const { return spans_[span_index(us, closed, row)]; }
    bool possible(std::uint32_t us, std::uint32_t them) const { return us && them && holds(us, them) && !(held_[us] & met_[them]); }
    std::size_t closed_sets(std::uint32_t us) const;
    void find_plays();
    void find_targets();
    void set_ends();
    template <int kStates>
    void solve_values(std::uint32_t us, std::uint32_t them, double* out) const;
    template <int kStates>
    void solve_probabilities(std::uint32_t us, std::uint32_t them, float* out) const;
    struct Range {
        std::uint32_t first, last;
        std::size_t length() const { return last - first; }
    };
    void batch(Range us, Range them, int threads);
    template <class Number, class Solve>
    double batch(Range us, Range them, int threads, std::vector<Number>& table, std::size_t cell, Solve solve);
    void end_sweep();

    Rules rules_;
    Payout payout_;
    int checkers_, against_, states_;
    std::uint32_t size_;
    std::uint32_t few_;            // configurations of at most `against` checkers
    std::vector<double> chances_;  // of the rows
    std::vector<Points> held_;     // by configuration: own points, in own numbers
    std::vector<Points> met_;      // and in the other side's
    std::vector<Target> targets_;
    std::vector<Reply> replies_;
    std::vector<Span> spans_;
    std::vector<std::size_t> first_span_;  // of each configuration
    std::uint32_t block_;  // configurations solved from the same values
    std::vector<double> values_;   // [size, size, states, holders]
    std::vector<float> probabilities_;   // [size, size, states, 5], from the second stage on
    Stage stage_ = Stage::values;
    int sweep_ = 0;
    std::uint32_t done_ = 1;
    double change_ = 0, last_change_ = 1;
};

}  // namespace barpoint
