#include "tables/bearoff_two_sided.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace barpoint {

namespace {

void check_rules(const Rules& rules, int checkers) {
    check_home_checkers(rules, checkers);
    const auto refuse = [](const std::string& why) { throw std::invalid_argument("no two-sided table: " + why); };
    if (checkers > TwoSided::kMaxCheckers) refuse("at most " + std::to_string(TwoSided::kMaxCheckers) + " checkers a side");
    if (checkers >= rules.checkers) refuse("with " + std::to_string(checkers) + " of " + std::to_string(rules.checkers) +
                                           " checkers a side may have borne off none, and lose a gammon");
    if (rules.winner != Winner::first_off || rules.per_checker) refuse("only where the first to bear off wins a single game");
    if (rules.meeting == Meeting::same) refuse("the sides are in each other's way");
    if (rules.bear_off != BearOff::highest || rules.judges_every_move) refuse("a roll may leave everything where it stands");
    if (rules.rerolls.tokens > 1) refuse("at most one token a side");
    for (const Row& row : rules.rows) {
        if (row.followed()) refuse("a roll is followed by another one");
    }
}

}  // namespace

TwoSided::TwoSided(const Rules& rules, int checkers) : rerolls_(rules.rerolls), checkers_(checkers) {
    check_rules(rules, checkers);
    states_ = rerolls_.tokens ? kMaxTokenStates : 1;
    size_ = home_count(checkers);
    for (const Row& row : rules.rows) chances_.push_back(static_cast<double>(row.weight) / rules.total_weight);
    HomePlays plays(rules);
    for (std::uint32_t index = 0; index < size_; ++index) {
        for (std::size_t row = 0; row < rules.rows.size(); ++row) {
            if (index) {
                for (const HomeResult& result : plays.results(index, static_cast<int>(row)))
                    results_.push_back(static_cast<std::uint16_t>(result.index));
            }
            starts_.push_back(static_cast<std::uint32_t>(results_.size()));
        }
    }
    // Who meets a side that has borne off everything has lost.
    values_.assign(offset(size_, 0), 0.0);
    for (std::uint32_t us = 0; us < size_; ++us) {
        std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(offset(us, 0)), static_cast<std::size_t>(states_) * kHolders, us ? -1.0 : 0.0);
        if (us) std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(offset(0, us)), static_cast<std::size_t>(states_) * kHolders, 1.0);
    }
}

void TwoSided::fill(const double* values, std::size_t count) {
    const std::lock_guard lock(working_);
    if (count != values_.size()) {
        throw std::invalid_argument(std::to_string(count) + " values; a table of this size has " + std::to_string(values_.size()));
    }
    std::copy_n(values, count, values_.begin());
    done_ = size_;
}

// Only a play that ends the game can be exempt from a call, and then it is the best one.
template <int kStates>
void TwoSided::roll_from(std::uint32_t us, std::uint32_t them, std::array<Equities<kHolders>, kMaxTokenStates>& out) const {
    constexpr std::size_t kCells = kStates * kHolders;
    const std::size_t rows = chances_.size();
    static thread_local std::vector<std::array<double, kCells>> best;
    static thread_local std::vector<char> ended;
    best.resize(rows);
    ended.assign(rows, 0);
    for (std::size_t row = 0; row < rows; ++row) {
        std::array<double, kCells> least;
        least.fill(2.0);
        const std::size_t first = static_cast<std::size_t>(us) * rows + row;
        for (std::uint32_t i = starts_[first]; i < starts_[first + 1]; ++i) {
            const double* seen = &values_[offset(them, results_[i])];
            for (std::size_t cell = 0; cell < kCells; ++cell) least[cell] = std::min(least[cell], seen[cell]);
            if (results_[i] == 0) ended[row] = 1;
        }
        best[row] = least;
    }
    std::array<Equities<kHolders>, kStates> found = {};
    roll_values<kStates, kHolders>(rerolls_, chances_, best, ended, found);
    std::copy(found.begin(), found.end(), out.begin());
}

std::array<Equities<TwoSided::kHolders>, kMaxTokenStates> TwoSided::rolling(std::uint32_t us, std::uint32_t them) const {
    std::array<Equities<kHolders>, kMaxTokenStates> out = {};
    if (states_ == 1) {
        roll_from<1>(us, them, out);
    } else {
        roll_from<kMaxTokenStates>(us, them, out);
    }
    return out;
}

void TwoSided::solve(std::uint32_t us, std::uint32_t them) {
    const std::array<Equities<kHolders>, kMaxTokenStates> rolling = this->rolling(us, them);
    double* out = &values_[offset(us, them)];
    for (int state = 0; state < states_; ++state) {
        const Equities<kHolders> values = with_double(rolling[static_cast<std::size_t>(state)]);
        std::copy(values.begin(), values.end(), out + static_cast<std::size_t>(state) * kHolders);
    }
}

// Results have smaller numbers, so position n against all below it needs those below alone; they against it need it
// against those below them; last comes n against itself. The order keeps row n of the table in the cache.
void TwoSided::advance(std::uint32_t count) {
    const std::lock_guard lock(working_);
    for (; count > 0 && done_ < size_; --count, ++done_) {
        for (std::uint32_t other = 1; other < done_; ++other) solve(done_, other);
        for (std::uint32_t other = 1; other <= done_; ++other) solve(other, done_);
    }
}

}  // namespace barpoint
