// Positions of one side with all its checkers home, as numbers, and the plays between them.
//
// The numbers run by how many checkers are on the board, then as words of counts from point 6 down to 1: all positions
// of up to n checkers come first, and every move leads to a smaller number. 0 is the side that has borne off everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plays.hpp"
#include "position.hpp"
#include "rules.hpp"

namespace barpoint {

inline constexpr int kHomePoints = 6;
inline constexpr int kMostHome = 15;  // checkers of the largest tables

// Positions of up to so many checkers on six points: 924 of 6, 54,264 of 15.
std::uint32_t home_count(int checkers);

// The number of a side; -1 when a checker is not home, is pinned, or there are more than `most` on the board.
std::int64_t home_index(const Side& side, int most);

// The side of a number, out of `checkers` in all.
Side home_side(std::uint32_t index, int checkers);

// A result of a throw: a home position, and whether the same side throws again.
struct HomeResult {
    std::uint32_t index = 0;
    bool again = false;
};

// Distinct results of throws from home positions, when the other side is in nobody's way.
class HomePlays {
  public:
    explicit HomePlays(const Rules& rules) : rules_(rules) {}

    // Valid until the next call.
    const std::vector<HomeResult>& results(std::uint32_t index, int row);

  private:
    const Rules& rules_;
    PlayBuffer buffer_;
    std::vector<HomeResult> results_;
};

// Throws std::invalid_argument unless 1 <= checkers <= least of 15 and what a side has.
void check_home_checkers(const Rules& rules, int checkers);

}  // namespace barpoint
