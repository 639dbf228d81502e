// Rows of the table of rolls, drawn by weight.
#pragma once

#include <cstdint>

#include "rng.hpp"
#include "rules/rules.hpp"

namespace barpoint {

// The row that a ticket shows: 0 <= ticket < total_weight, each row has as many tickets as its weight.
inline int row_of(const Rules& rules, int ticket) {
    int row = 0;
    while ((ticket -= rules.rows[row].weight) >= 0) ++row;
    return row;
}

// The row of one roll of a game, a function of its key alone.
inline int random_row(const Rules& rules, std::uint64_t seed, std::uint64_t game, std::uint64_t number) {
    return row_of(rules, static_cast<int>(random_below(random_bits(seed, game, number), rules.total_weight)));
}

// The row of the next roll of a stream.
inline int random_row(const Rules& rules, Stream& stream) {
    return row_of(rules, static_cast<int>(stream.below(rules.total_weight)));
}

}  // namespace barpoint
