// Positions of one side with all its checkers home, numbered as configurations on six points, and the plays between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/plays.hpp"
#include "rules/position.hpp"
#include "rules/rules.hpp"
#include "tables/bearoff_index.hpp"

namespace barpoint {

inline constexpr int kHomePoints = 6;
inline constexpr int kMaxHome = 15;  // checkers of the largest tables

inline std::uint32_t home_count(int checkers) { return configuration_count(checkers, kHomePoints); }
inline std::int64_t home_index(const Side& side, int most) { return configuration_index(side, most, kHomePoints); }
inline Side home_side(std::uint32_t index, int checkers) { return configuration_side(index, checkers, kHomePoints); }

// A result of a roll: a home position, and whether the same side rolls again.
struct HomeResult {
    std::uint32_t index = 0;
    bool again = false;
};

// Distinct results of rolls from home positions, when the other side is in nobody's way.
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

// Raises std::invalid_argument unless 1 <= checkers <= least of 15 and what a side has.
void check_home_checkers(const Rules& rules, int checkers);

}  // namespace barpoint
