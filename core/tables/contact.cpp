#include "tables/contact.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace barpoint {

void check_contact(const Rules& rules, int checkers, int most) {
    const auto refuse = [](const std::string& why) { throw std::invalid_argument("no table of whole games: " + why); };
    most = std::min(rules.checkers, most);
    if (checkers < 1 || checkers > most) {
        refuse(std::to_string(checkers) + " checkers a side; it has 1 to " + std::to_string(most));
    }
    if (rules.winner != Winner::first_off || rules.per_checker || rules.start_pin_loses || rules.standstill_draws) {
        refuse("only where the first to bear off wins, and games pay by single, gammon and backgammon");
    }
    const bool moves_freely = !rules.judges_every_move && rules.hit_and_run && rules.hit_before_home && !rules.leave;
    if (rules.meeting != Meeting::opposite || rules.capture != Capture::hit || !moves_freely || rules.start.hand) {
        refuse("only where checkers start on the board, travel opposite ways and hit");
    }
    if (rules.rerolls.tokens > 1) refuse("at most one token a side");
    if (rules.rerolls.tokens && !rules.rerolls.final_roll_cancellable) refuse("a roll that ends the game may not be rerolled");
    for (const Row& row : rules.rows) {
        if (row.followed()) refuse("a roll is followed by another one");
    }
}

std::size_t Contact::count(const Rules& rules, int checkers) {
    check_contact(rules, checkers);
    const std::size_t size = configuration_count(checkers, kContactPoints);
    return size * size * (rules.rerolls.tokens ? kMaxTokenStates : 1) * kContactCell;
}

Contact::Contact(const Rules& rules, int checkers, const float* values, std::size_t given)
    : rules_(rules), payout_(rules), checkers_(checkers), values_(values) {
    const std::size_t needed = count(rules, checkers);
    if (given != needed) {
        throw std::invalid_argument(std::to_string(given) + " values; a table of this size has " + std::to_string(needed));
    }
    states_ = rules.rerolls.tokens ? kMaxTokenStates : 1;
    size_ = configuration_count(checkers, kContactPoints);
}

const float* Contact::find(const Position& position) const {
    const std::int64_t us = configuration_index(position.us, checkers_, kContactPoints);
    const std::int64_t them = configuration_index(position.them, checkers_, kContactPoints);
    if (us <= 0 || them <= 0) return nullptr;
    const auto index = static_cast<std::size_t>(us) * size_ + static_cast<std::size_t>(them);
    return values_ + index * static_cast<std::size_t>(states_) * kContactCell;
}

bool Contact::probabilities(const Position& position, Values& out) const {
    const float* cell = find(position);
    if (!cell) return false;
    for (int state = 0; state < states_; ++state, cell += kContactCell) std::copy_n(cell, kMaxProbabilities, out[state].begin());
    return true;
}

ContactEquities Contact::equities(const float* cell) const {
    Probabilities probabilities;
    std::copy_n(cell, kMaxProbabilities, probabilities.begin());
    ContactEquities out;
    out[kCubeless] = payout_.equity(probabilities);
    for (std::size_t holder = kOwned; holder < kContactHolders; ++holder) out[holder] = cell[kMaxProbabilities + holder - 1];
    return out;
}

template <int kStates>
void Contact::roll_from(const Position& position, std::array<ContactEquities, kMaxTokenStates>& out) const {
    std::vector<std::array<double, kStates * kContactHolders>> best(rules_.rows.size());
    std::vector<double> chances;
    PlayBuffer plays;
    for (std::size_t row = 0; row < best.size(); ++row) {
        chances.push_back(static_cast<double>(rules_.rows[row].weight) / rules_.total_weight);
        best[row].fill(4.0);
        generate(rules_, position, static_cast<int>(row), plays);
        for (std::size_t i = 0; i < plays.size(); ++i) {
            const Position next = plays.next(i);
            const float* cell = find(next);
            const Outcome end = cell ? Outcome{} : outcome(rules_, next);
            for (int state = 0; state < kStates; ++state) {
                ContactEquities seen;
                seen.fill(end.winner * end.points);
                seen[kCentredJacoby] = end.winner;
                if (cell) seen = equities(cell + static_cast<std::size_t>(state) * kContactCell);
                for (std::size_t holder = 0; holder < kContactHolders; ++holder) {
                    double& least = best[row][static_cast<std::size_t>(state) * kContactHolders + holder];
                    least = std::min(least, seen[holder]);
                }
            }
        }
    }
    std::array<ContactEquities, kStates> found = {};
    roll_values<kStates, kContactHolders>(rules_.rerolls, chances, best, std::vector<char>(best.size(), 0), found);
    std::copy(found.begin(), found.end(), out.begin());
}

std::array<ContactEquities, kMaxTokenStates> Contact::rolling(const Position& position) const {
    std::array<ContactEquities, kMaxTokenStates> out = {};
    if (states_ == 1) {
        roll_from<1>(position, out);
    } else {
        roll_from<kMaxTokenStates>(position, out);
    }
    return out;
}

}  // namespace barpoint
