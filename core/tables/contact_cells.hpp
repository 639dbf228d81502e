// The values and probabilities of one pair of configurations in whole games, from those that its plays lead to.
//
// Rows: where these stand, for the other side's configuration: values(hits, next), probabilities(hits, next) point to the cell in
// which the other side, some of its blots hit, is to act against `next`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/reroll.hpp"
#include "tables/contact_plays.hpp"
#include "tables/exact_values.hpp"

namespace barpoint {

// out: [kStates, kContactHolders]
template <int kStates, class Rows>
void solve_values(const ContactPlays& plays, std::uint32_t us, std::uint32_t them, const Rows& rows, double* out) {
    constexpr std::size_t kCells = kStates * kContactHolders;
    const std::vector<double>& chances = plays.chances();
    static thread_local std::vector<std::array<double, kCells>> best;
    static thread_local std::vector<char> ended;
    best.resize(chances.size());
    ended.assign(chances.size(), 0);
    const ContactPlays::Target& target = plays.target(them);
    for (std::size_t row = 0; row < chances.size(); ++row) {
        std::array<double, kCells> least;
        least.fill(4.0);
        for (const ContactPlays::Reply reply : plays.replies(us, target.closed, row)) {
            const double* seen = rows.values(target.hits(reply.landed), reply.next);
            for (std::size_t cell = 0; cell < kCells; ++cell) least[cell] = std::min(least[cell], seen[cell]);
        }
        best[row] = least;
    }
    std::array<ContactEquities, kStates> rolling = {};
    roll_values<kStates, kContactHolders>(plays.rules().rerolls, chances, best, ended, rolling);
    for (const ContactEquities& of_state : rolling) {
        const ContactEquities values = with_double(of_state);
        out = std::copy(values.begin(), values.end(), out);
    }
}

// The chances when both sides play for the cubeless equity, and call for it. out: [kStates, kMaxProbabilities]
template <int kStates, class Rows>
void solve_probabilities(const ContactPlays& plays, std::uint32_t us, std::uint32_t them, const Rows& rows, float* out) {
    const std::vector<double>& chances = plays.chances();
    const Rerolls& rerolls = plays.rules().rerolls;
    const ContactPlays::Target& target = plays.target(them);
    std::array<std::array<double, kMaxProbabilities>, kStates> sums = {};
    std::array<double, kStates> equity = {};  // of rolling
    std::array<Probabilities, kStates> means = {};
    static thread_local std::vector<std::array<double, kStates>> least;
    static thread_local std::vector<std::array<Probabilities, kStates>> probabilities;
    least.resize(chances.size());
    probabilities.resize(chances.size());
    for (std::size_t row = 0; row < chances.size(); ++row) {
        least[row].fill(4.0);
        std::array<ContactPlays::Reply, kStates> best = {};
        for (const ContactPlays::Reply reply : plays.replies(us, target.closed, row)) {
            const double* values = rows.values(target.hits(reply.landed), reply.next);
            for (int state = 0; state < kStates; ++state) {
                const double seen = values[static_cast<std::size_t>(state) * kContactHolders];
                if (seen < least[row][state]) least[row][state] = seen, best[state] = reply;
            }
        }
        for (int state = 0; state < kStates; ++state) {
            const float* seen = rows.probabilities(target.hits(best[state].landed), best[state].next);
            std::copy_n(seen + static_cast<std::size_t>(state) * kMaxProbabilities, kMaxProbabilities, probabilities[row][state].begin());
        }
    }
    for (int state = 0; state < kStates; ++state) {
        const int mirrored = kStates == 1 ? 0 : flip_tokens(state);
        for (std::size_t row = 0; row < chances.size(); ++row) {
            double value = -least[row][mirrored];
            Probabilities kept = plays.payout().flip(probabilities[row][mirrored]);
            const Reroll reroll = decide_reroll(rerolls, state, value, false, [&](int left) { return equity[left]; });
            if (reroll != Reroll::none) {
                value = equity[tokens_left(state, reroll)];
                kept = means[tokens_left(state, reroll)];
            }
            equity[state] += chances[row] * value;
            for (int i = 0; i < kMaxProbabilities; ++i) sums[state][i] += chances[row] * static_cast<double>(kept[i]);
        }
        for (int i = 0; i < kMaxProbabilities; ++i) means[state][i] = static_cast<float>(sums[state][i]);
        out = std::copy(means[state].begin(), means[state].end(), out);
    }
}

}  // namespace barpoint
