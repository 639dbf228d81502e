// Counting positions some rolls ahead, the classical check of a generator (rulings 9.2, 9.9).
#pragma once

#include <cstdint>

#include "rules/plays.hpp"

namespace barpoint {

struct Perft {
    std::uint64_t plain = 0;     // every row of the table once
    std::uint64_t weighted = 0;  // every row by its weight
};

// Distinct results `depth` rolls on, from positions in which the game is not over; paths are counted, not positions.
Perft perft(const Rules& rules, const Position& position, int depth);

}  // namespace barpoint
