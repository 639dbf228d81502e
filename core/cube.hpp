// What the doubling cube adds to the figures of a position: Janowski's mix of a dead and a live cube (RULES.md 5.6),
// for money and, by the worth of points at the score, for matches.
#pragma once

#include <vector>

#include "payout.hpp"

namespace barpoint {

// What points won or lost are worth to the player to act. Money: themselves. Match: the chance to win the match
// afterwards, won[k] after winning k points, lost[k] after losing k; more points than listed are worth the last.
struct Worth {
    std::vector<double> won, lost;

    bool money() const { return won.empty(); }
    double of(double points) const;
    Worth flip() const;
};

struct Stakes {
    Worth worth;
    int cube = 1;
    int owner = 0;         // +1 the player to act, 0 nobody, -1 the other side
    bool in_play = true;   // there is a cube in this game
    bool jacoby = false;   // gammons count only once the cube was turned
    bool beavers = false;
    bool may_double = true;  // the player to act, as far as the rules of the turn go

    Stakes flip() const;
};

// How alive a cube is: 0 dead, 1 perfectly timed. In races it changes evenly from 40 pips of the player to act to 120.
// Nets bring their own figures; these are GNU Backgammon's.
struct CubeLife {
    double contact = 0.68, short_race = 0.6, long_race = 0.7;

    double at(const Position& position) const;
};

struct CubeValues {
    double no_double = 0;    // all in the units of Worth
    double double_take = 0;  // the other side's best answer short of passing, a beaver included
    double double_pass = 0;
    bool may_double = false;
    bool beaver = false;  // the other side would rather double again

    // With the best action of both sides.
    double best() const;
};

// Values for the player to act before he throws.
CubeValues cube_values(const Payout& payout, const Figures& figures, const Stakes& stakes, double life);

// Chances to win at which decisions change, gammons per win and per loss staying as in the figures.
struct MarketWindow {
    double take = 0;      // the player to act may take when doubled
    double redouble = 0;  // he should double (redouble) from here
    double cash = 0;      // the other side should pass from here
    double too_good = 0;  // he should play on for a gammon from here; 1 when never
};
MarketWindow market_window(const Payout& payout, const Figures& figures, const Stakes& stakes, double life);

}  // namespace barpoint
