// Values of a position for every place where the cube may be further down a search tree, so that one walk through the tree
// serves them all.
#pragma once

#include <array>

#include "rules/payout.hpp"
#include "search/cube.hpp"
#include "tables/exact_tables.hpp"

namespace barpoint {

// Values by place of the cube, for the side to act: centred, then for each rung owned by it and by the other side.
inline constexpr int kMaxPlaces = 13;
using PlaceValues = std::array<double, kMaxPlaces>;
using PlaceValuesByTokens = std::array<PlaceValues, kMaxTokenStates>;

// A cube in play, seen from the root of a tree. Sides as in CubeLadder; values of money are for a present cube of 1.
class CubeTree {
  public:
    // plies: the greatest search depth.
    CubeTree(const Payout& payout, const Stakes& stakes, const CubeEfficiency& efficiency, int plies);

    int places() const { return 1 + 2 * rungs_; }
    int rungs() const { return rungs_; }
    // Copies the values of the places of one rung.
    void take_over(int rung, const PlaceValues& from, PlaceValues& to) const;
    const Stakes& stakes() const { return ladder_.stakes(); }
    bool money() const { return ladder_.money(); }
    const CubeLadder& ladder() const { return ladder_; }

    // The value by which plays inside the tree are chosen with the cube at a rung: as if it stayed there.
    float merit(int side, int rung, const Probabilities& probabilities) const { return merits_[side][rung].of(probabilities); }

    // The cube net that is asked where the tree ends; nullptr where constants are used.
    const CubeNet* net() const { return efficiency_.net; }
    // Values where the tree ends after a play, for the mover; so are the probabilities. again: the mover rolls once more, else the other side is
    // to act and may double first. sums: net()'s of the position, if they are known.
    PlaceValues after(int mover, bool again, const Position& next, const RungProbabilities& probabilities, const CubeNet::Sums* sums) const;
    // Values of a game that is over.
    void ended(int side, const Probabilities& probabilities, PlaceValues& out) const;
    // Values from a table, for money: of rolling now, or of the start of a turn.
    void exact(const CubeRace& race, bool rolling, PlaceValues& out) const;

    // From values of rolling to values of the start of the turn: the side to act may double first.
    void turn(int side, PlaceValues& values) const;
    // The same seen by the other side.
    void flip(PlaceValues& values) const;

    // The value with the cube at a rung. owner: as in Stakes.
    double at(int owner, int rung, const PlaceValues& values) const {
        const double scale = money() ? static_cast<double>(1 << rung) : 1;
        const int kept = money() ? 0 : rung;
        return scale * values[owner == 0 ? 0 : owner > 0 ? own(kept) : other(kept)];
    }
    // At the root, in the units of PointValues: the value at the present place of the cube; the decision, from values of rolling.
    double value(const PlaceValues& values) const;
    CubeValues decision(const RungProbabilities& probabilities, const Position& position, const PlaceValues& rolling) const;
    // A plain win at the present cube is +1, a plain loss -1.
    double normal(double value) const;

  private:
    static constexpr int own(int rung) { return 1 + 2 * rung; }
    static constexpr int other(int rung) { return 2 + 2 * rung; }
    // Values of rolling now.
    void leaf(int side, const Position& position, const RungProbabilities& probabilities, const CubeNet::Sums* sums, PlaceValues& out) const;

    CubeLadder ladder_;
    CubeEfficiency efficiency_;
    int rungs_;
    bool centred_;
    std::array<std::array<Scale, (kMaxPlaces - 1) / 2>, 2> merits_ = {};
};

}  // namespace barpoint
