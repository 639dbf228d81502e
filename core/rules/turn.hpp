// Plays with their moves, and a turn in progress as a graph.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/position.hpp"
#include "rules/rules.hpp"
#include "rules/stage.hpp"

namespace barpoint {

struct Move {
    std::uint8_t from, to, number;
    Effect effect;  // of the move where and when it was made; not compared
    friend bool operator==(const Move& a, const Move& b) { return a.from == b.from && a.to == b.to && a.number == b.number; }
};

struct TracedPlay {
    std::vector<Move> moves;  // one way to the result, in an order in which they may be made
    Position result;          // seen by the mover
    bool again = false;
};

// As generate(), each result with one way to reach it, in an order that depends on the position and the roll alone.
std::vector<TracedPlay> traced_plays(const Rules& rules, const Position& position, int row);

inline constexpr std::int32_t kLater = -1;  // where a turn graph ends for now

struct TurnEdge {
    Move move;
    std::int32_t next;  // node, or kLater: the graph goes on there for those who ask with this move made
};

struct TurnNode {
    Position position;  // seen by the mover
    bool commit = false;
    bool again = false;  // if committed here, the same side rolls again
    std::vector<TurnEdge> edges;
};

// Every beginning of a legal play of the roll; node 0 is the start of the turn. A stage after the first one is worked
// out only for those ends of the stage before to which `made` leads, or `made` with one of its moves taken back, and
// where it may be played in several ways only for those begun: 2-1 in Acey-Deucey would have tens of thousands of nodes.
std::vector<TurnNode> turn_graph(const Rules& rules, const Position& position, int row, const std::vector<Move>& made);

}  // namespace barpoint
