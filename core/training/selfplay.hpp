// Games of a net against itself, as training data: positions with the figures they should have.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nets/net.hpp"
#include "rules/rules.hpp"
#include "search/search.hpp"

namespace barpoint {

struct Sample {
    Position position;
    Values target;
};

// One of the rules that games are played by; they differ in their start alone, so that one net serves them.
struct Start {
    std::shared_ptr<const Rules> rules;
    double share;  // of all games, relative to the others
};

struct SelfPlay {
    std::vector<Start> starts;
    std::vector<Position> rare;  // where some games by the first of the rules begin instead
    double rare_share = 0;       // of those games
    double scatter = 0;    // share of games whose first rolls, up to 12, are played at random
    double stray = 0;      // chance that a later roll is played by another play that is nearly as good as the best
    double lambda = 0.6;   // how far later surprises count for earlier positions; in full after rare ones
    bool lookahead = false;  // targets from the mean over all rolls instead of the one rolled: free of luck
    int longest = 400;     // rolls after which a game is cut
    bool tables = true;    // where exact tables have a position, they and not the net say what it is worth
    std::size_t most_plays = 400;  // of one roll that are looked at
    std::shared_ptr<const Net> pruner = nullptr;  // says which replies are worth the net's look: so many, so near the best
    Filter replies = {8, 0.30f};
};

// What one thread plays with: a search for each of the starts.
std::vector<Search> make_searches(const SelfPlay& settings, const Net& net);

// Plays game number `game` of `seed` and appends a sample for every roll. The same arguments give the same samples on
// any thread. All heads are trained on every position: heads that would have acted as the game went on share its later
// surprises, the others stop at the roll itself.
void play_game(std::vector<Search>& searches, const SelfPlay& settings, std::uint64_t seed,
               std::uint64_t game, std::vector<Sample>& out);

}  // namespace barpoint
