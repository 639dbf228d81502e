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

struct StageEdge {
    std::uint8_t from, to, number;
    Effect effect;
    std::uint32_t next;  // node
};

struct StageNode {
    Position position;        // seen by the mover
    std::uint32_t used = 0;   // how often number n was played: bits 4n..4n+3
    std::uint32_t parent = 0, via = 0;        // the first way found here: node and edge; unused in node 0
    std::uint32_t first_edge = 0, edges = 0;  // highest number, then highest source first
    std::uint8_t rank = 0;    // of what was played: the sum of the numbers, and where they are counted first kOfNumber for each
    bool complete = false;    // some option is used up, or the game is over
    bool ended = false;       // the game is over
    bool may_stop = false;    // a legal play of this stage ends here
    bool legal = false;       // a legal play of this stage leads here

    static constexpr int kOfNumber = 32;  // more than the largest sum

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
