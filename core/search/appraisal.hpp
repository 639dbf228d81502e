// What figures are worth to the player to act at a stake: points or chances to win the match, the cube as it will be used.
#pragma once

#include <optional>

#include "rules/payout.hpp"
#include "search/cube.hpp"

namespace barpoint {

// Looks at plays of one roll: the player to act has decided about the cube and rolls.
class Appraisal {
  public:
    explicit Appraisal(const Rules& rules) : payout_(rules) {}

    // Must be called before anything else, and again when the stakes change.
    void set(const Stakes& stakes);

    // A sum over the figures that grows with their worth, cheap enough for every play: exact where no cube is in play,
    // else as if nobody turned it any more.
    double merit(const Figures& figures) const;

    // Whether merit() orders plays as Payout::equity does.
    bool plain() const { return plain_; }

    // merit() for both sides, as searches ask for it; nothing where it is plain.
    std::optional<Scales> scales() const;

    // What a position after a play is worth, seen and figured by the mover; life is that of the cube then. `again`: he
    // rolls once more; else it is the other side's turn, who may double. Games that are over have their exact worth.
    double after(const Figures& figures, bool again, bool ended, double life) const;

    // Before the roll, with the best action of both sides where he may still double.
    double before(const Figures& figures, double life) const;

  private:
    struct Line {
        double constant = 0;
        double slope[kMaxFigures] = {};
    };
    Line line(const Stakes& stakes) const;

    Payout payout_;
    std::optional<CubeLadder> ours_, theirs_;  // seen by either side at its turn, the player to act having decided
    bool plain_ = true;
    bool linear_ = true;  // merit() is the worth itself
    Line merit_;
};

}  // namespace barpoint
