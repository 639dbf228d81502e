// Exact values of races in which both sides have few checkers left, all home (rulings 9.6), for money without the
// Jacoby rule; under rules with tokens for each state of the tokens, called rolls included (rulings 2.7).
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "rules/payout.hpp"
#include "tables/bearoff.hpp"
#include "tables/exact_values.hpp"

namespace barpoint {

class TwoSided {
  public:
    static constexpr int kMaxCheckers = 10;  // 2 GB; sizes: docs/engine.md, Files of tables
    static constexpr std::size_t kHolders = 4;  // without a gammon the Jacoby rule changes nothing

    // An empty table; std::invalid_argument for rules under which a gammon is possible in it, or that it cannot follow.
    TwoSided(const Rules& rules, int checkers);

    int checkers() const { return checkers_; }
    std::uint32_t size() const { return size_; }  // positions of a side
    int states() const { return states_; }        // 1, or 4 numbered as the token states of a net
    bool complete() const { return done_ == size_; }
    std::uint32_t done() const { return done_; }

    // Solves the next `count` positions of a side against all before them.
    void advance(std::uint32_t count);

    // [size, size, states, holders]: the side on roll, the other side.
    const std::vector<double>& values() const { return values_; }
    // Takes the values of another table of the same shape; std::invalid_argument when there are not as many.
    void fill(const double* values, std::size_t count);

    const double* at(std::uint32_t us, std::uint32_t them, int state) const { return &values_[offset(us, them) + 4 * state]; }
    // Equities of rolling now, without a double before it, by state.
    std::array<Equities<kHolders>, kMaxTokenStates> rolling(std::uint32_t us, std::uint32_t them) const;

  private:
    std::size_t offset(std::uint32_t us, std::uint32_t them) const {
        return (static_cast<std::size_t>(us) * size_ + them) * static_cast<std::size_t>(states_) * kHolders;
    }
    template <int kStates>
    void roll_from(std::uint32_t us, std::uint32_t them, std::array<Equities<kHolders>, kMaxTokenStates>& out) const;
    void solve(std::uint32_t us, std::uint32_t them);

    Rerolls rerolls_;
    std::vector<double> chances_;  // of the rows
    int checkers_, states_;
    std::uint32_t size_, done_ = 1;
    std::vector<std::uint16_t> results_;  // of position i and row r: from starts_[i * rows + r] on
    std::vector<std::uint32_t> starts_ = {0};
    std::vector<double> values_;
    std::mutex working_;  // callers of several threads take turns
};

}  // namespace barpoint
