// Reroll tokens: who still has one, and whether a roll is rerolled (rulings 2.7).
#pragma once

#include <algorithm>
#include <cstdint>

#include "rules/rules.hpp"

namespace barpoint {

// A token state says who has a token left, as an index of probabilities: bit 0 the player to act, bit 1 the other side.
// Rules without tokens know state 0 alone.
enum TokenState : int { kNoToken = 0, kOwnToken = 1, kTheirToken = 2, kBothTokens = 3 };
inline constexpr int kMaxTokenStates = 4;

// The same state seen by the other side.
inline constexpr int flip_tokens(int tokens) { return (tokens >> 1) | ((tokens & 1) << 1); }

// Who spends a token to reroll a roll.
enum class Reroll : std::uint8_t { none, by_roller, by_other };

// The state after a reroll.
inline constexpr int tokens_left(int tokens, Reroll reroll) {
    return reroll == Reroll::by_roller ? tokens & ~kOwnToken : reroll == Reroll::by_other ? tokens & ~kTheirToken : tokens;
}

inline bool roller_may_reroll(const Rerolls& rules, int tokens) { return rules.tokens > 0 && (tokens & kOwnToken) && rules.own; }
inline bool other_may_reroll(const Rerolls& rules, int tokens) { return rules.tokens > 0 && (tokens & kTheirToken) && rules.other; }
// ended: the play ends the game, and rules may exempt such a roll.
inline bool other_may_reroll(const Rerolls& rules, int tokens, bool ended) {
    return other_may_reroll(rules, tokens) && (!ended || rules.final_roll_cancellable);
}

// The decision about a roll whose best play has this value to the roller. again(tokens): the value of rolling again in
// that token state. The other side decides first; max and min of both orders are the same (rulings 2.7).
template <class Value, class Again>
Reroll decide_reroll(const Rerolls& rules, int tokens, Value value, bool ended, Again&& again) {
    Reroll reroll = Reroll::none;
    if (other_may_reroll(rules, tokens, ended)) {
        const Value rerolled = again(tokens & ~kTheirToken);
        if (rerolled < value) {
            reroll = Reroll::by_other;
            value = rerolled;
        }
    }
    if (roller_may_reroll(rules, tokens) && again(tokens & ~kOwnToken) > value) reroll = Reroll::by_roller;
    return reroll;
}

// The value that remains of a roll after that decision; by_other, by_roller: the value of rolling again when they decide so.
inline double after_reroll(double value, bool other_may, double by_other, bool roller_may, double by_roller) {
    if (other_may) value = std::min(value, by_other);
    if (roller_may) value = std::max(value, by_roller);
    return value;
}

}  // namespace barpoint
