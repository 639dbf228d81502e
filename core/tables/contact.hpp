// Exact values of whole games with few checkers a side, contact included (rulings 9.8): what a finished table answers.
// contact_solver.hpp makes one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "rules/plays.hpp"
#include "tables/bearoff_index.hpp"
#include "tables/exact_values.hpp"

namespace barpoint {

inline constexpr int kContactPoints = kBar;    // 1..24 and the bar
inline constexpr int kMaxContactCheckers = 3;  // of a table in a file: 3,276 configurations a side
inline constexpr int kMaxSolvedCheckers = 4;   // of a solver, which may leave out pairs: 23,751 configurations
inline constexpr std::size_t kContactHolders = 5;
inline constexpr std::size_t kContactCell = kMaxProbabilities + kContactHolders - 1;  // five chances; all holders but cubeless

using ContactEquities = Equities<kContactHolders>;

// Raises std::invalid_argument for rules or sizes without such a table, says why.
void check_contact(const Rules& rules, int checkers, int most = kMaxContactCheckers);

// A table as it lies in a file: [size, size, states, kContactCell] floats by the side on roll, the other side and the
// tokens. They are not copied and must outlive it.
class Contact {
  public:
    Contact(const Rules& rules, int checkers, const float* values, std::size_t count);

    int checkers() const { return checkers_; }
    std::uint32_t size() const { return size_; }
    int states() const { return states_; }
    static std::size_t count(const Rules& rules, int checkers);  // floats of a table

    // The cell of a position, the first of its states; nullptr when it is not in the table or the game is over in it.
    const float* find(const Position& position) const;

    // Probabilities of every state of the tokens; false when the position is not in the table.
    bool probabilities(const Position& position, Values& out) const;

    // Equities by holder before the cube may be turned, for the cell of a state.
    ContactEquities equities(const float* cell) const;

    // Equities of rolling now, without a double before it, by state; the position must be in the table.
    std::array<ContactEquities, kMaxTokenStates> rolling(const Position& position) const;

  private:
    template <int kStates>
    void roll_from(const Position& position, std::array<ContactEquities, kMaxTokenStates>& out) const;

    Rules rules_;
    Payout payout_;
    int checkers_, states_;
    std::uint32_t size_;
    const float* values_;
};

}  // namespace barpoint
