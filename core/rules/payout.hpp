// The payout of a game, and the probabilities of its outcomes.
//
// Where games pay by level the probabilities are five chances: win, win gammon, win backgammon, lose gammon, lose backgammon,
// nested (a gammon includes its backgammons). Where they pay by the checker they are three: win, mean points won, mean
// points lost, both over all games. Always for the player to act.
#pragma once

#include <algorithm>
#include <array>
#include <compare>

#include "rules/reroll.hpp"
#include "rules/rules.hpp"

namespace barpoint {

inline constexpr int kMaxProbabilities = 5;

using Probabilities = std::array<float, kMaxProbabilities>;  // unused ones are 0

struct Payout {
    bool per_checker = false;
    float gammon = 2, backgammon = 3;  // points with the cube at 1

    explicit Payout(const Rules& rules)
        : per_checker(rules.per_checker),
          gammon(static_cast<float>(rules.gammon)),
          backgammon(static_cast<float>(rules.backgammon)) {}

    int columns() const { return per_checker ? 3 : 5; }

    // Cubeless points a game.
    float equity(const Probabilities& f) const {
        if (per_checker) return f[1] - f[2];
        return 2 * f[0] - 1 + (gammon - 1) * (f[1] - f[3]) + (backgammon - gammon) * (f[2] - f[4]);
    }

    // A difference of probabilities, seen by the other side.
    template <class Number>
    std::array<Number, kMaxProbabilities> flip_difference(const std::array<Number, kMaxProbabilities>& d) const {
        if (per_checker) return {-d[0], d[2], d[1], 0, 0};
        return {-d[0], d[3], d[4], d[1], d[2]};
    }

    // The same probabilities seen by the other side.
    Probabilities flip(const Probabilities& f) const {
        Probabilities out = flip_difference(f);
        out[0] += 1;
        return out;
    }

    // The probabilities of a game that is over.
    Probabilities ended(const Outcome& outcome) const {
        const auto flag = [](bool is) { return is ? 1.0f : 0.0f; };
        const bool won = outcome.winner > 0, lost = outcome.winner < 0;
        const float win = outcome.winner == 0 ? 0.5f : flag(won);
        if (per_checker) {
            const auto points = static_cast<float>(outcome.points);
            return {win, won ? points : 0.0f, lost ? points : 0.0f, 0, 0};
        }
        return {win, flag(won && outcome.level >= 2), flag(won && outcome.level >= 3),
                flag(lost && outcome.level >= 2), flag(lost && outcome.level >= 3)};
    }
};

// The value of probabilities at a stake, a linear function: a plain win with the present cube is +1, a plain loss -1.
struct Scale {
    float constant = 0;
    std::array<float, kMaxProbabilities> slope = {};

    float of(const Probabilities& f) const {
        float sum = constant;
        for (int i = 0; i < kMaxProbabilities; ++i) sum += slope[i] * f[i];
        return sum;
    }
};
using Scales = std::array<Scale, 2>;  // of the player to act, and of the other side at its turn

using Values = std::array<Probabilities, kMaxTokenStates>;  // by token state; where a net says so, by whose gammons count

// Whose gammons count, as an index of probabilities where there are no tokens: bit 0 those of the player to act, bit 1 the other side's.
// At double match point none count, for money both do.
enum GammonState : int { kNoGammons = 0, kOwnGammons = 1, kTheirGammons = 2, kBothGammons = 3 };

// The value of probabilities where these gammons count as for money, the others as plain games.
inline Scale gammon_scale(int state) {
    const float own = state & kOwnGammons ? 1.0f : 0.0f, theirs = state & kTheirGammons ? 1.0f : 0.0f;
    return {-1, {2, own, own, -theirs, -theirs}};
}

// What a gammon adds to a win of either side, as a part of what it adds for money: 0 to 1; of what is more nothing is known. Where neither a gammon
// nor a backgammon adds anything, nobody saves them, and there are many backgammons. In the Crawford game at 3-away a gammon adds next to nothing,
// but a backgammon wins the match, so it is saved: what a backgammon adds more than a gammon counts, if that is more than what the gammon adds.
struct GammonPrices {
    float own = 1, theirs = 1;

    static GammonPrices of(const Scale& scale) {
        const auto price = [](float gammon, float backgammon) { return std::clamp(std::max(gammon, backgammon - gammon), 0.0f, 1.0f); };
        return {price(scale.slope[1], scale.slope[2]), price(-scale.slope[3], -scale.slope[4])};
    }
    // The share of each gammon state in outputs at these prices.
    std::array<float, 4> shares() const { return {(1 - own) * (1 - theirs), own * (1 - theirs), (1 - own) * theirs, own * theirs}; }
    friend auto operator<=>(const GammonPrices&, const GammonPrices&) = default;
};

}  // namespace barpoint
