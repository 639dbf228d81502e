// Configurations of one side's checkers on the points 1..points (25 is the bar), as numbers.
//
// The numbers run by how many checkers are on the board, then as words of counts from the highest point down to 1: all
// configurations of up to n checkers come first, and every move leads to a smaller number. 0 is the side that has borne off
// everything.
#pragma once

#include <cstdint>

#include "rules/position.hpp"

namespace barpoint {

// The number of configurations of up to `checkers` checkers: on six points 924 of 6 and 54,264 of 15, on 25 points 3,276 of 3.
// At most 15 checkers on six points, 4 on 25.
std::uint32_t configuration_count(int checkers, int points);

// The number of a side; -1 when a checker is elsewhere, is pinned, or there are more than `most` on the board.
std::int64_t configuration_index(const Side& side, int most, int points);

// The side of a number, out of `checkers` in all.
Side configuration_side(std::uint32_t index, int checkers, int points);

}  // namespace barpoint
