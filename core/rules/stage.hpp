// Everything that can be done with one stage of a roll, as a graph: nodes are what has been reached, edges are moves.
// The readable generator: it serves turns in progress, notation and the rules that judge every single move;
// plays.cpp has a faster one for results alone, where steps commute.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/dice.hpp"
#include "rules/position.hpp"
#include "rules/rules.hpp"
#include "rules/step.hpp"

namespace barpoint {

// Numbers as a stage uses them up, or still has them: how often number n, in bits 4n..4n+3.
constexpr std::uint32_t one(int number) { return std::uint32_t{1} << (4 * number); }
constexpr bool has(std::uint32_t numbers, int number) { return (numbers >> (4 * number)) & 15; }

inline std::uint32_t numbers_of(const Option& option) {
    std::uint32_t numbers = 0;
    for (int i = 0; i < option.count; ++i) numbers += one(option.numbers[i]);
    return numbers;
}

// What playing a number adds to the rank of a play: plays of the highest rank are legal where none is complete.
constexpr int rank_of(const Rules& rules, int number) {
    constexpr int kOfNumber = 32;  // more than the largest sum
    return number + (rules.obligation == Obligation::most_numbers ? kOfNumber : 0);
}

struct StageEdge {
    std::uint8_t from, to, number;
    Effect effect;
    std::uint32_t next;  // node
};

struct StageNode {
    Position position;        // seen by the mover
    std::uint32_t used = 0;   // the numbers played
    std::uint32_t parent = 0, via = 0;        // the first way found here: node and edge; unused in node 0
    std::uint32_t first_edge = 0, edges = 0;  // highest number, then highest source first
    std::uint8_t rank = 0;    // of what was played, as rank_of() adds it up
    bool complete = false;    // some option is used up, or the game is over
    bool ended = false;       // the game is over
    bool may_stop = false;    // a legal play of this stage ends here
    bool legal = false;       // a legal play of this stage leads here

    bool goes_on() const { return complete && !ended; }
};

// Whether the same side acts once more after a node of the last stage of a roll; `position` then gets what it owes.
bool acts_again(const FollowUp& follow_up, const Stage& last, const StageNode& node, Position& position);

class StageGraph {
  public:
    // All nodes reachable from `position`, in order of the number of moves made; node 0 is the position itself.
    // limits: of the whole roll.
    void explore(const Rules& rules, const Position& position, const Stage& stage, const RollLimits& limits);

    const std::vector<StageNode>& nodes() const { return nodes_; }
    const std::vector<StageEdge>& edges() const { return edges_; }

  private:
    void expand(const Rules& rules, Points closed, const RollLimits& limits, const Stage& stage, std::uint32_t index);
    std::uint32_t find_or_add(const StageNode& node);
    void mark_stops(const Rules& rules, const Stage& stage);
    void mark_legal();
    void index_all();

    std::vector<StageNode> nodes_;
    std::vector<StageEdge> edges_;
    std::vector<std::uint32_t> slots_;  // open addressing: node + 1, 0 free
};

}  // namespace barpoint
