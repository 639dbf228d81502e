// Two players of nets against each other, for measuring strength.
#pragma once

#include <cstdint>
#include <vector>

#include "job.hpp"
#include "nets/net.hpp"
#include "rules/rules.hpp"
#include "search/search.hpp"

namespace barpoint {

// One side of a duel. It may judge by rules that differ in scoring from those played, where its net knows no others.
struct Duellist {
    const Rules* rules;
    const Net* net;
    float reluctance = 0;  // what annulling a roll must gain, in points, before a marker is spent on it
};

// Who takes out the luck: what each roll was worth more than the mean of all, as this net sees it. Without a net luck stays.
struct Judge {
    const Net* net = nullptr;
    const Net* pruner = nullptr;
};

// Plays pairs of games, each pair on the same dice with the seats exchanged, without a cube; appends the points that
// `first` won per game, one figure a pair. Games of more than `longest` rolls count as drawn.
void duel(Job& job, const Rules& rules, const Duellist& first, const Duellist& second, const Judge& judge, std::uint64_t seed,
          std::int64_t pairs, int longest, std::vector<double>& out);

}  // namespace barpoint
