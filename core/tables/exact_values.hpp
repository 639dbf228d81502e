// What the exact tables share: values by holder of the cube, doubles before a roll, rerolls.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "rules/payout.hpp"
#include "rules/reroll.hpp"
#include "rules/rules.hpp"

namespace barpoint {

// Points for the side on roll with the cube at 1: without a cube, with the cube its own, centred, the other side's, and
// centred under the Jacoby rule.
enum Holder { kCubeless, kOwned, kCentred, kTheirs, kCentredJacoby };

// By holder: four, or five where gammons make the Jacoby rule matter.
template <std::size_t kHolders>
using Equities = std::array<double, kHolders>;

constexpr int seen_by_other(int holder) { return holder == kOwned ? kTheirs : holder == kTheirs ? kOwned : holder; }

// The value of a turn's start from those of rolling at once: the cube may be turned first.
template <std::size_t kHolders>
Equities<kHolders> with_double(const Equities<kHolders>& rolling) {
    const double doubled = std::min(2 * rolling[kTheirs], 1.0);
    Equities<kHolders> out = rolling;
    out[kOwned] = std::max(rolling[kOwned], doubled);
    for (std::size_t holder = kCentred; holder < kHolders; ++holder) {
        if (holder != kTheirs) out[holder] = std::max(rolling[holder], doubled);
    }
    return out;
}

// The values of rolling, R of rulings 2.7, from the least that the other side is left with after each row of the table
// of rolls: best[row][state * kHolders + holder]. `max(min(play, called)) == min(max(play), called)`, so the other side
// calls on the best play of a roll. ended[row]: the best play ends the game, and rules may exempt it from a call.
template <int kStates, std::size_t kHolders>
void roll_values(const Rerolls& rerolls, const std::vector<double>& chances,
                  const std::vector<std::array<double, kStates * kHolders>>& best, const std::vector<char>& ended,
                  std::array<Equities<kHolders>, kStates>& out) {
    for (int state = 0; state < kStates; ++state) {
        const int mirrored = kStates == 1 ? 0 : flip_tokens(state);
        const bool other_may = other_may_reroll(rerolls, state), roller_may = roller_may_reroll(rerolls, state);
        Equities<kHolders> by_other = {}, by_roller = {};
        if (other_may) {
            const Equities<kHolders>& again = out[state & ~kTheirToken];
            by_other = rerolls.double_after_cancel ? with_double(again) : again;
        }
        if (roller_may) by_roller = out[state & ~kOwnToken];
        for (std::size_t holder = 0; holder < kHolders; ++holder) {
            const std::size_t cell = static_cast<std::size_t>(mirrored) * kHolders + static_cast<std::size_t>(seen_by_other(static_cast<int>(holder)));
            double sum = 0;
            for (std::size_t row = 0; row < chances.size(); ++row) {
                const bool other_may_here = other_may_reroll(rerolls, state, ended[row]);
                sum += chances[row] * after_reroll(-best[row][cell], other_may_here, by_other[holder], roller_may, by_roller[holder]);
            }
            out[static_cast<std::size_t>(state)][holder] = sum;
        }
    }
}

}  // namespace barpoint
