// Values of probabilities at given stakes for the player to act: points, or the chance to win the match, with the cube as it
// will be used.
#pragma once

#include <array>
#include <optional>

#include "rules/payout.hpp"
#include "search/cube.hpp"

namespace barpoint {

// For the plays of one roll: the player to act has decided about the cube and rolls.
class Appraisal {
  public:
    explicit Appraisal(const Rules& rules) : payout_(rules) {}

    // Must be called before anything else, and again when the stakes change.
    void set(const Stakes& stakes);

    // A linear function of the probabilities that grows with their value, cheap enough for every play: exact where no cube
    // is in play, else as if nobody turned it any more.
    double merit(const Probabilities& probabilities) const;

    // Whether merit() orders plays as Payout::equity does.
    bool plain() const { return plain_; }

    // merit() for both sides in the form that searches use; nothing where it is plain.
    std::optional<Scales> scales() const;

    // Value of a position after a play, to the mover, probabilities as the mover sees them; efficiency: of the cube there.
    // again: the mover rolls once more; else the other side is to act and may double. Exact where the game has ended.
    double after(const RungProbabilities& probabilities, bool again, bool ended, double efficiency) const;

    // Value before the roll, with the best cube action of both sides where the player to act may still double.
    double before(const RungProbabilities& probabilities, double efficiency) const;

    // What gammons are worth to both sides, by rung of the cube.
    std::array<RungPrices, 2> prices() const { return {ours_->prices(0), ours_->prices(1)}; }

  private:
    struct Line {
        double constant = 0;
        double slope[kMaxProbabilities] = {};
    };
    Line line(const Stakes& stakes) const;

    Payout payout_;
    std::optional<CubeLadder> ours_, theirs_;  // seen by either side at its turn, the player to act having decided
    bool plain_ = true;
    bool linear_ = true;  // merit() is the value itself
    Line merit_;
};

}  // namespace barpoint
