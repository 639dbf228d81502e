// Two players of nets against each other, for measuring strength.
#pragma once

#include <cstdint>
#include <vector>

#include "job.hpp"
#include "nets/net.hpp"
#include "rules/rules.hpp"
#include "search/search.hpp"

namespace barpoint {

// One side of a match. Its rules may differ in scoring from those played, where its net knows no others.
struct Contender {
    const Rules* rules;
    const Net* net;
    float reluctance = 0;  // points that a reroll must gain before a token is spent on it
};

// The net that measures luck, for luck-adjusted results: a roll's value beyond the mean of all rolls. No net: no adjustment.
struct Judge {
    const Net* net = nullptr;
    const Net* pruning_net = nullptr;
};

// Plays pairs of games, each pair on the same dice with the seats exchanged, without a cube; appends the points that
// `first` won per game, one number a pair. Games of more than `longest` rolls count as drawn. The pairs begin in `starts` in
// turn, each game with the side to act there; where there are none, at the start of the rules.
void play_head_to_head(Job& job, const Rules& rules, const Contender& first, const Contender& second, const Judge& judge,
                       const std::vector<Position>& starts, std::uint64_t seed, std::int64_t pairs, int longest,
                       std::vector<double>& out);

}  // namespace barpoint
