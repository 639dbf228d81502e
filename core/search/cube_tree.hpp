// What a position is worth for every place where the cube may stand further down a tree, so that one walk through the
// tree serves them all.
#pragma once

#include <array>

#include "rules/payout.hpp"
#include "search/cube.hpp"
#include "tables/exact_tables.hpp"

namespace barpoint {

// By place of the cube, for the side to act: in the middle, then for every rung of the ladder its own and the other side's.
inline constexpr int kMaxPlaces = 13;
using Placed = std::array<double, kMaxPlaces>;
using PlacedHeads = std::array<Placed, kMaxHeads>;

// A cube in play, seen from the root of a tree. Sides as in CubeLadder; values of money are for a present cube of 1.
class CubeTree {
  public:
    // plies: the most that is looked ahead.
    CubeTree(const Payout& payout, const Stakes& stakes, const CubeLife& life, int plies);

    int places() const { return 1 + 2 * rungs_; }
    int rungs() const { return rungs_; }
    // Takes over the values of the places of one rung.
    void take_over(int rung, const Placed& from, Placed& to) const;
    const Stakes& stakes() const { return ladder_.stakes(); }
    bool money() const { return ladder_.money(); }

    // By what plays inside the tree are chosen with the cube at a rung: what figures are worth if it stays there.
    float merit(int side, int rung, const Figures& figures) const { return merits_[side][rung].of(figures); }

    // What figures say about a position where the tree ends: values of rolling now.
    void leaf(int side, const Position& position, const Figures& figures, Placed& out) const;
    // Of a game that is over.
    void ended(int side, const Figures& figures, Placed& out) const;
    // What a table knows, for money: values of rolling now, or of a turn's start.
    void exact(const CubeRace& race, bool rolling, Placed& out) const;

    // From the values of rolling to those of a turn's start: the side to act may double first.
    void turn(int side, Placed& values) const;
    // The same seen by the other side.
    void flip(Placed& values) const;

    // At the root, in the units of Worth: the value where the cube stands now; the decision from the values of rolling.
    double worth(const Placed& values) const;
    CubeValues decision(const Figures& figures, const Position& position, const Placed& rolling) const;
    // A plain win at the present cube is +1, a plain loss -1.
    double normal(double worth) const;

  private:
    static constexpr int own(int rung) { return 1 + 2 * rung; }
    static constexpr int other(int rung) { return 2 + 2 * rung; }
    int root() const { return ladder_.stakes().owner == 0 ? 0 : ladder_.stakes().owner > 0 ? own(0) : other(0); }

    CubeLadder ladder_;
    CubeLife life_;
    int rungs_;
    bool centred_;
    std::array<std::array<Scale, (kMaxPlaces - 1) / 2>, 2> merits_ = {};
};

}  // namespace barpoint
