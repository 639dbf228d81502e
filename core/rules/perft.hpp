// Counting positions some rolls ahead, the classical check of a generator (rulings 9.2, 9.9).
#pragma once

#include <cstdint>

#include "rules/plays.hpp"

namespace barpoint {

struct Perft {
    std::uint64_t plain = 0;     // every row of the table once, or the one that is owed
    std::uint64_t weighted = 0;  // every row by its weight, one that is owed by the weights of all
};

// Distinct results `depth` rolls on, from positions in which the game is not over; paths are counted, not positions.
Perft perft(const Rules& rules, const Position& position, int depth);

}  // namespace barpoint
