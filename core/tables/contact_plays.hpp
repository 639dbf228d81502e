// What every sweep over whole games needs of the rules: the plays of each configuration, what hits them, and in which order
// pairs of configurations are solved.
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
#include <span>
#include <vector>

#include "rules/payout.hpp"
#include "rules/step.hpp"
#include "tables/contact.hpp"

namespace barpoint {

class ContactPlays {
  public:
    struct Reply {
        std::uint32_t landed;  // points touched where the other side might have stood, in the mover's numbers
        std::uint32_t next;    // the mover's configuration
    };
    struct Span {
        std::uint32_t first, last;  // of all replies
    };
    // What a configuration of the other side means for the mover: what it closes, and where it ends up when hit.
    struct Target {
        std::size_t closed = 0;                     // the number of its set of closed points
        std::array<int, kMaxSolvedCheckers> blots;  // in the mover's numbers; a bit that is never set where there are fewer
        std::array<std::uint32_t, 16> hit;          // configurations by which of the blots are hit

        std::size_t hits(std::uint32_t landed) const {
            return (landed >> blots[0] & 1) | (landed >> blots[1] & 1) << 1 | (landed >> blots[2] & 1) << 2 | (landed >> blots[3] & 1) << 3;
        }
    };

    // against: 1 to checkers; `checkers` for the whole. Raises std::invalid_argument.
    ContactPlays(const Rules& rules, int checkers, int against);
    // From all_spans() and all_replies() of an earlier one, which must outlive this; std::invalid_argument for those of others.
    ContactPlays(const Rules& rules, int checkers, int against, std::span<const Span> spans, std::span<const Reply> replies);
    ContactPlays(const ContactPlays&) = delete;
    ContactPlays& operator=(const ContactPlays&) = delete;

    const Rules& rules() const { return rules_; }
    const Payout& payout() const { return payout_; }
    int checkers() const { return checkers_; }
    int against() const { return against_; }
    int states() const { return states_; }
    std::uint32_t size() const { return size_; }
    std::uint32_t few() const { return few_; }  // configurations of at most `against` checkers
    const std::vector<double>& chances() const { return chances_; }  // of the rows
    const Target& target(std::uint32_t them) const { return targets_[them]; }
    std::span<const Span> all_spans() const { return spans_; }
    std::span<const Reply> all_replies() const { return replies_; }
    std::span<const Reply> replies(std::uint32_t us, std::size_t closed, std::size_t row) const {
        const Span& found = spans_[span_index(us, closed, row)];
        return replies_.subspan(found.first, found.last - found.first);
    }

    // Whether the pair is in the slice; else there is no place for it.
    bool holds(std::uint32_t us, std::uint32_t them) const { return us < few_ || them < few_; }
    bool possible(std::uint32_t us, std::uint32_t them) const { return us && them && holds(us, them) && !(held_[us] & met_[them]); }
    // A sweep takes configurations in blocks, each solved from the same values; none has few checkers and more.
    std::uint32_t block_end(std::uint32_t first) const;

    // For who meets a side that has borne off everything, so has lost: values [states, kContactHolders], probabilities [states, 5].
    void lost(std::uint32_t us, double* out) const;
    void lost(std::uint32_t us, float* out) const;

  private:
    std::size_t span_index(std::uint32_t us, std::size_t closed, std::size_t row) const {
        return first_span_[us] + closed * chances_.size() + row;
    }
    void prepare();
    bool are_plays() const;
    std::size_t closed_sets(std::uint32_t us) const;
    void find_plays();
    void find_targets();

    Rules rules_;
    Payout payout_;
    int checkers_, against_, states_ = 1;
    std::uint32_t size_ = 0, few_ = 0, block_ = 0;
    std::vector<double> chances_;
    std::vector<Points> held_;  // by configuration: own points, in own numbers
    std::vector<Points> met_;   // and in the other side's
    std::vector<Target> targets_;
    std::vector<std::size_t> first_span_;  // of each configuration, then the number of spans
    std::vector<Span> own_spans_;
    std::vector<Reply> own_replies_;
    std::span<const Span> spans_;
    std::span<const Reply> replies_;
};

}  // namespace barpoint
