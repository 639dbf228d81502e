// What the outcome of a game is worth, and the figures a net gives about it.
//
// Where games pay by level the figures are five chances: win, win gammon, win backgammon, lose gammon, lose backgammon,
// nested (a gammon includes its backgammons). Where they pay by the checker they are three: win, mean points won, mean
// points lost, both over all games. Always for the player to act.
#pragma once

#include <algorithm>
#include <array>

#include "rules/rules.hpp"

namespace barpoint {

inline constexpr int kMaxFigures = 5;

using Figures = std::array<float, kMaxFigures>;  // unused ones are 0

struct Payout {
    bool per_checker = false;
    float gammon = 2, backgammon = 3;  // points with the cube at 1

    explicit Payout(const Rules& rules)
        : per_checker(rules.per_checker),
          gammon(static_cast<float>(rules.gammon)),
          backgammon(static_cast<float>(rules.backgammon)) {}

    int figures() const { return per_checker ? 3 : 5; }

    // Cubeless points a game.
    float equity(const Figures& f) const {
        if (per_checker) return f[1] - f[2];
        return 2 * f[0] - 1 + (gammon - 1) * (f[1] - f[3]) + (backgammon - gammon) * (f[2] - f[4]);
    }

    // The same figures seen by the other side.
    Figures flip(const Figures& f) const {
        if (per_checker) return {1 - f[0], f[2], f[1], 0, 0};
        return {1 - f[0], f[3], f[4], f[1], f[2]};
    }

    // The figures of a game that is over.
    Figures ended(const Outcome& outcome) const {
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

// What figures are worth at a stake as a sum over them: a plain win with the present cube is +1, a plain loss -1.
struct Scale {
    float constant = 0;
    std::array<float, kMaxFigures> slope = {};

    float of(const Figures& f) const {
        float sum = constant;
        for (int i = 0; i < kMaxFigures; ++i) sum += slope[i] * f[i];
        return sum;
    }
};
using Scales = std::array<Scale, 2>;  // of the player to act, and of the other side at its turn

// Which markers are left, as the number of a net's head: 0 none, 1 own, 2 the other side's, 3 both.
// Nets for rules without markers have head 0 alone.
inline constexpr int kMaxHeads = 4;
inline constexpr int other_head(int head) { return (head >> 1) | ((head & 1) << 1); }

using Values = std::array<Figures, kMaxHeads>;  // by head

}  // namespace barpoint
