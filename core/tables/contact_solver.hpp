// Solves whole games with few checkers a side by value iteration: sweeps over all pairs of configurations until nothing
// changes, first the equities with and without a cube, then the chances of the cubeless best plays.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "tables/contact.hpp"
#include "tables/contact_plays.hpp"

namespace barpoint {

// Largest change of a sweep that ends the sweeps. Probabilities are kept as floats. With these limits, values agree with the
// readable rules to 2e-13 (docs/engine.md, whole games).
inline constexpr double kMaxValuesChange = 1e-13, kMaxProbabilityChange = 2e-7;

class ContactSolver {
  public:
    // against: 1 to checkers; `checkers` for the whole.
    ContactSolver(const Rules& rules, int checkers, int against);

    enum class Stage { values, probabilities, done };

    const ContactPlays& plays() const { return plays_; }
    int checkers() const { return plays_.checkers(); }
    int against() const { return plays_.against(); }
    int rows() const { return static_cast<int>(plays_.chances().size()); }
    std::uint32_t size() const { return plays_.size(); }
    int states() const { return plays_.states(); }
    bool complete() const { return stage_ == Stage::done; }

    // Solves `count` more configurations; the result does not depend on the number of threads.
    void advance(std::uint32_t count, int threads);

    // Pairs of configurations with a place in the table, also those that cannot be.
    std::size_t pairs() const { return pair(size(), 0); }
    // The place of one that the slice holds. The row of a configuration with more than `against` checkers ends where the other
    // side has more too.
    std::size_t pair(std::uint32_t us, std::uint32_t them) const {
        const std::size_t rows = us, few = plays_.few();
        return (us < few ? rows * size() : few * size() + (rows - few) * few) + them;
    }

    // Equities at the start of a turn, by holder, of a pair that the slice holds.
    const double* at(std::uint32_t us, std::uint32_t them, int state) const {
        return &values_[(pair(us, them) * static_cast<std::size_t>(states()) + static_cast<std::size_t>(state)) * kContactHolders];
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
    struct Range {
        std::uint32_t first, last;
        std::size_t length() const { return last - first; }
    };
    void solve(Range us, Range them, int threads);
    template <int kStates>
    double batch(Range us, Range them, int threads);
    template <class Number, class Solve>
    double batch(Range us, Range them, int threads, std::vector<Number>& table, std::size_t cell, Solve solve);
    void end_sweep();

    ContactPlays plays_;
    std::vector<double> values_;        // [pairs, states, holders]
    std::vector<float> probabilities_;  // [pairs, states, 5], from the second stage on
    Stage stage_ = Stage::values;
    int sweep_ = 0;
    std::uint32_t done_ = 1;
    double change_ = 0, last_change_ = 1;
    std::mutex working_;  // callers of several threads take turns
};

}  // namespace barpoint
