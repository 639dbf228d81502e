// Self-play games as training data: positions with target probabilities.
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
    std::int64_t roll = -1;  // samples after plays of the same roll, one of which was made, have its number; -1: of no roll
};

// One set of rules that games are played by; they differ in their start alone, so one net serves them all.
struct Start {
    std::shared_ptr<const Rules> rules;
    double share;  // of all games, relative to the others
};

struct SelfPlay {
    std::vector<Start> starts;
    std::vector<Position> rare;  // positions where some games by the first rules begin instead
    double rare_share = 0;       // of those games
    double scatter = 0;    // share of games whose first rolls, up to 12, are played at random
    double exploration = 0;      // chance that a later roll is played by another play, nearly as good as the best
    double lambda = 0.6;   // weight of later surprises in the targets of earlier positions; 1 (outcome targets) after rare positions
    bool lookahead = false;  // 1-ply targets: the mean over all rolls instead of the one rolled, so free of luck
    int longest = 400;     // rolls after which a game is cut
    bool tables = true;    // exact tables, where they know a position, value it instead of the net
    std::size_t most_plays = 400;  // evaluated plays of one roll; only Acey-Deucey's 2-1 has more
    std::shared_ptr<const Net> pruning_net = nullptr;  // preselects the replies that the net evaluates
    Filter replies = {8, 0.30f, 5};  // the loss by it: docs/engine.md, "Training"
    int second_ply = 0;  // rolls, drawn anew for each roll of the game, by which 1-ply targets look a second ply ahead; none
    Filter siblings = {0, 0};  // plays of each roll that get 1-ply targets beside the one made; none
};

// The searches of one thread, one for each start. A net whose states say whose gammons count learns the values of all of these
// states, and each game is played in one of them, drawn evenly; from rare positions, more than half of them for money.
std::vector<Search> make_searches(const SelfPlay& settings, const Net& net);

// Plays this game of `seed` and appends a sample for every roll, each behind the siblings of the play that led to it. The
// same arguments give the same samples on any thread. Every position has targets in all token states: states that would have acted as the game went on share its later
// surprises, the others stop at the roll itself. Outcome targets, of games from rare positions and where lambda is 1, are known of the state alone in
// which the game was played; those of the others are NaN.
void play_game(std::vector<Search>& searches, const SelfPlay& settings, std::uint64_t seed,
               std::uint64_t number, std::vector<Sample>& out);

}  // namespace barpoint
