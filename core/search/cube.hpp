// The value of the doubling cube: Janowski's mix of a dead and a live cube (rulings 5.6), for money, and for matches by
// match winning chances.
#pragma once

#include <array>
#include <vector>

#include "nets/cube_net.hpp"
#include "rules/payout.hpp"

namespace barpoint {

// The value of points to the player to act. Money: the points themselves. Match: the chance to win the match, won[k]
// after winning k points, lost[k] after losing k; more points than listed count as the last entry.
struct PointValues {
    std::vector<double> won, lost;

    bool money() const { return won.empty(); }
    double of(double points) const;
    PointValues flip() const;
};

struct Stakes {
    PointValues point_values;
    double cube = 1;       // a power of two up to 2^62: exact, and no doubling overflows it
    int owner = 0;         // +1 the player to act, 0 nobody, -1 the other side
    bool in_play = true;   // there is a cube in this game
    bool jacoby = false;   // gammons count only once the cube was turned
    bool beavers = false;
    bool may_double = true;  // whether the player to act may double at this point of the turn

    Stakes flip() const;
};

// Janowski's cube efficiency in one position, by the owner of the cube, seen by the player to act: 0 a dead cube, 1 a
// perfectly timed one.
struct PositionEfficiency {
    double centred, owned, theirs;
    bool learned = false;  // of a CubeNet: then a centred cube for money is a mix of dead and live too

    PositionEfficiency(double all) : centred(all), owned(all), theirs(all) {}
    explicit PositionEfficiency(const std::array<double, CubeNet::kPlaces>& of)
        : centred(of[0]), owned(of[1]), theirs(of[2]), learned(true) {}

    double of(int owner) const { return owner == 0 ? centred : owner > 0 ? owned : theirs; }
    PositionEfficiency flip() const;
};

class Outlook;

// Cube efficiency by position. Constants: in races it changes linearly from 40 pips of the player to act to 120; defaults
// are GNU Backgammon's, a net may have its own (nets.toml). By a cube net where there is one. Compared: benchmarks/results.md,
// "Tried and reverted".
struct CubeEfficiency {
    double contact = 0.68, short_race = 0.6, long_race = 0.7;
    const CubeNet* net = nullptr;

    double constant_at(const Position& position) const;
    // Of the present cube and of the next, by the cube net if there is one, else the constant.
    std::array<PositionEfficiency, 2> at(const Position& position, const Outlook& outlook) const;
};

struct CubeValues {
    double no_double = 0;    // all in the units of PointValues
    double double_take = 0;  // the other side's best answer short of passing, a beaver included
    double double_pass = 0;
    bool may_double = false;
    bool beaver = false;  // the other side would rather double again

    // With the best action of both sides.
    double best() const;
};

// Rungs of which each may have probabilities of its own; those beyond have those of the last.
inline constexpr std::size_t kMaxPricedRungs = kMaxTokenStates;
// Prices of gammons by rung, one or more.
struct RungPrices {
    std::array<GammonPrices, kMaxPricedRungs> of = {};
    std::size_t count = 1;
};

// How a game ends with the cube at each rung: one or more probabilities, those of the last for all rungs beyond.
class RungProbabilities {
  public:
    RungProbabilities(const Probabilities& all) : count_(1) { of_[0] = all; }
    RungProbabilities(const Values& values, std::size_t count) : of_(values), count_(count) {}

    const Probabilities& at(std::size_t rung) const { return of_[std::min(rung, count_ - 1)]; }
    std::size_t count() const { return count_; }
    RungProbabilities flip(const Payout& payout) const;

  private:
    std::array<Probabilities, kMaxPricedRungs> of_;
    std::size_t count_;
};

// Values of games at the present cube and at each that may follow, twice the one before: rung 0, 1, ... Made once for
// stakes, then used for many positions. Side 0 is the player to act in the stakes, side 1 the other.
class CubeLadder {
  public:
    static constexpr int kMaxRungs = 16;  // a bound: at a score cubes beyond the length are dead, and no match has 2^15 points

    CubeLadder(const Payout& payout, const Stakes& stakes);

    const Payout& payout() const { return payout_; }
    const Stakes& stakes() const { return stakes_; }
    bool money() const { return stakes_.point_values.money(); }
    // Rungs up to the first cube that helps neither side; for money one, since all values grow with the cube.
    int rungs() const { return rungs_; }
    // The cube cannot help this side any more: a plain win at this rung is enough for the match.
    bool dead(int side, int rung) const { return rungs_of_[side][rung].dead; }
    // A plain win or loss at this cube, in the units of PointValues; for money with the present cube at 1.
    double won(int side, int rung) const { return rungs_of_[side][rung].won[0]; }
    double lost(int side, int rung) const { return rungs_of_[side][rung].lost[0]; }
    // The value of probabilities to a side if the cube stays at a rung, as a linear function.
    Scale scale(int side, int rung) const;
    // Prices of gammons by rung, as a side sees them; at most kMaxPricedRungs.
    RungPrices prices(int side) const;

  private:
    friend class Outlook;
    struct Rung {
        double won[3], lost[3];  // plain, by a gammon, by a backgammon
        bool dead;
    };
    double points(int side, double count, int rung) const;

    Payout payout_;
    Stakes stakes_;
    int rungs_ = 0;
    std::array<std::array<Rung, kMaxRungs + 1>, 2> rungs_of_ = {};
};

// One position at a ladder, seen by the side to act: how games end there, and the chance from which each side takes.
class Outlook {
  public:
    Outlook(const CubeLadder& ladder, int side, const RungProbabilities& probabilities);

    // The value of rolling now at chance p to win with the present cube, with the gammon rates of the position; owner as in Stakes,
    // units as won().
    double stay(double p, int rung, int owner, const PositionEfficiency& efficiency) const;
    // The same in a game without a cube.
    double without_cube(double p) const;
    // The chance to win with the present cube.
    double chance() const;
    const CubeLadder& ladder() const { return ladder_; }
    // What a cube net is told of the stakes with the cube at a rung, and what it says of a position with these sums.
    CubeSight sight(int rung = 0) const;
    PositionEfficiency efficiency(const CubeNet& net, const CubeNet::Sums& sums, int rung) const;

  private:
    struct Share {
        double plain, gammon, backgammon;  // parts of all wins, which sum to 1
        double points;                     // where games pay by the checker: the mean, with the cube at 1
    };
    Share share(double all, double gammons, double backgammons) const;
    // These take the chance at their rung.
    double mixed(double p, int rung, int owner, const PositionEfficiency& efficiencies) const;
    double theirs_at_once(double p, int rung) const;
    std::size_t priced(int rung) const { return std::min(static_cast<std::size_t>(rung), count_ - 1); }
    // By how much a chance is higher at another rung than with the present cube, and from one rung to the next.
    double shift(int rung) const { return shift_[priced(rung)]; }
    double step(int who, int rung) const { return (who == 0 ? 1 : -1) * (shift(rung + 1) - shift(rung)); }
    double win(int who, int rung) const;   // who: 0 the side to act, 1 the other
    double lose(int who, int rung) const;
    double dead_take_point(int who, int rung) const;
    double live_take_point(int who, int rung) const;

    const CubeLadder& ladder_;
    int side_;
    std::array<Probabilities, kMaxPricedRungs> probabilities_;
    std::size_t count_;  // rungs with probabilities of their own
    std::array<Share, kMaxPricedRungs> wins_, losses_;
    std::array<double, kMaxPricedRungs> shift_;
    std::array<std::array<double, CubeLadder::kMaxRungs>, 2> take_;  // of the cube of a rung, at the chance on the next
};

// Values for the player to act before the roll.
CubeValues cube_values(const Outlook& outlook, const PositionEfficiency& efficiency);
CubeValues cube_values(const CubeLadder& ladder, const RungProbabilities& probabilities, const PositionEfficiency& efficiency);
CubeValues cube_values(const Payout& payout, const RungProbabilities& probabilities, const Stakes& stakes, const PositionEfficiency& efficiency);

// For money with the cube at 1: the value of doubling when the other side takes or beavers, from the value of a take.
double answered(const Stakes& stakes, double taken, bool& beaver);

// Whether the player to act may double.
bool may_turn(const CubeLadder& ladder);

// Chances to win at which decisions change, gammons per win and per loss staying as in the probabilities.
struct MarketWindow {
    double take = 0;      // the player to act may take when doubled
    double redouble = 0;  // the player to act should double (redouble) from here
    double cash = 0;      // the other side should pass from here
    double too_good = 0;  // too good to double from here: play on for a gammon; 1 when never
};
// now, next: the efficiency of the present cube and of the next.
MarketWindow market_window(const CubeLadder& ladder, const RungProbabilities& probabilities, const PositionEfficiency& now, const PositionEfficiency& next);

}  // namespace barpoint
