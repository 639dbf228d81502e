#include "rules/perft.hpp"

#include <vector>

#include "rules/dice.hpp"

namespace barpoint {

namespace {

// One buffer for each depth still to go.
Perft count(const Rules& rules, const Position& position, int depth, std::vector<PlayBuffer>& buffers) {
    Perft sum;
    PlayBuffer& plays = buffers[depth - 1];
    const int owed = owed_row(position);
    for (std::size_t row = 0; row < rules.rows.size(); ++row) {
        if (owed >= 0 && row != static_cast<std::size_t>(owed)) continue;
        generate(rules, position, static_cast<int>(row), plays);
        Perft here{plays.size(), plays.size()};
        if (depth > 1) {
            here = {};
            for (std::size_t i = 0; i < plays.size(); ++i) {
                const Position next = plays.next(i);
                if (outcome(rules, next).over) continue;
                const Perft below = count(rules, next, depth - 1, buffers);
                here.plain += below.plain;
                here.weighted += below.weighted;
            }
        }
        sum.plain += here.plain;
        sum.weighted += here.weighted * (owed < 0 ? rules.rows[row].weight : rules.total_weight);
    }
    return sum;
}

}  // namespace

Perft perft(const Rules& rules, const Position& position, int depth) {
    if (depth < 1) return {1, 1};
    std::vector<PlayBuffer> buffers(depth);
    return count(rules, position, depth, buffers);
}

}  // namespace barpoint
