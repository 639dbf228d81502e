// Rows of the table of rolls: drawn by weight, or owed.
#pragma once

#include <cstdint>
#include <vector>

#include "rng.hpp"
#include "rules/position.hpp"
#include "rules/rules.hpp"

namespace barpoint {

// The row that a ticket shows: 0 <= ticket < total_weight, each row has as many tickets as its weight.
inline int row_of(const Rules& rules, int ticket) {
    int row = 0;
    while ((ticket -= rules.rows[row].weight) >= 0) ++row;
    return row;
}

// The row that the side to act plays next without rolling it; -1 where it rolls.
inline int owed_row(const Position& position) { return position.us.owed - 1; }

// Some count of the dice is not at its usual 0.
inline bool has_dice(const Side& side) { return side.plain_rolls || side.owed; }

// The position in which the play of a roll begins: nothing is owed, and there is one plain roll less.
inline Position taken(Position position) {
    if (position.us.plain_rolls) --position.us.plain_rolls;
    position.us.owed = 0;
    return position;
}

// What a side does that has played a row completely, by the option of its last stage.
class FollowUp {
  public:
    FollowUp(const Rules& rules, const Row& row, const Position& before)
        : again_(row.again), owes_(!before.us.plain_rolls && !(rules.follow_once && before.us.owed)) {}

    std::uint8_t owed(const Option& option) const { return owes_ ? static_cast<std::uint8_t>(option.next + 1) : 0; }
    // It acts once more.
    bool again(const Option& option) const { return again_ || owed(option); }

  private:
    bool again_, owes_;
};

// The row of one roll of a game, a function of its key alone.
inline int random_row(const Rules& rules, std::uint64_t seed, std::uint64_t game, std::uint64_t number) {
    return row_of(rules, static_cast<int>(random_below(random_bits(seed, game, number), rules.total_weight)));
}

// The row of the next roll of a stream.
inline int random_row(const Rules& rules, Stream& stream) {
    return row_of(rules, static_cast<int>(stream.below(rules.total_weight)));
}

// So many rows, in equal steps through all tickets from a random one, so that they resemble all rolls.
inline void random_rows(const Rules& rules, Stream& stream, int count, std::vector<int>& out) {
    const auto first = static_cast<int>(stream.below(rules.total_weight));
    out.clear();
    for (int i = 0; i < count; ++i) out.push_back(row_of(rules, (first + i * rules.total_weight / count) % rules.total_weight));
}

// The row that the side to act plays next: the one that it owes, else the next roll of a stream.
inline int next_row(const Rules& rules, const Position& position, Stream& stream) {
    return position.us.owed ? owed_row(position) : random_row(rules, stream);
}

}  // namespace barpoint
