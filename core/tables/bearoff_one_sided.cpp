#include "tables/bearoff_one_sided.hpp"

#include <algorithm>
#include <stdexcept>

namespace barpoint {

namespace {

// Bounds a distribution in which some rolls move nothing. With kTail the longest of all variants have 23 turns with two dice and 35
// with the twelve-sided die; 512 would be reached only if all but 5 % of the rolls moved nothing.
constexpr std::size_t kMaxTurns = 512;
// Chance of needing still more turns that is left out: a bound, far below the error of every use.
constexpr double kTail = 1e-12;

}  // namespace

OneSided::OneSided(const Rules& rules, int checkers) : checkers_(checkers) {
    check_home_checkers(rules, checkers);
    if (rules.has_next) throw std::invalid_argument("no one-sided table: a roll is followed by one that is not rolled");
    HomePlays plays(rules);
    const bool whole = checkers == rules.checkers;
    const std::uint32_t borne_off = whole ? home_count(checkers - 1) : home_count(checkers);
    Column* const columns[] = {&all_, &first_};
    all_.add_done();
    for (std::uint32_t index = 0; index < borne_off; ++index) first_.add_done();
    for (std::uint32_t index = 1; index < home_count(checkers); ++index) {
        const std::size_t count = index < borne_off ? 1 : 2;
        Turn turns[2];
        for (std::size_t row = 0; row < rules.rows.size(); ++row) {
            const double chance = static_cast<double>(rules.rows[row].weight) / rules.total_weight;
            const std::vector<HomeResult>& results = plays.results(index, static_cast<int>(row));
            for (std::size_t c = 0; c < count; ++c) columns[c]->play(results, index, chance, turns[c]);
        }
        for (std::size_t c = 0; c < count; ++c) columns[c]->add(turns[c]);
    }
}

// Every result but "nothing moved" has a smaller number, so its probabilities stand already.
void OneSided::Column::play(const std::vector<HomeResult>& results, std::uint32_t index, double chance, Turn& turn) const {
    const HomeResult* best = nullptr;
    double least = 0;
    for (const HomeResult& result : results) {
        if (result.index == index) continue;
        const double needed = means[result.index] + (result.again ? 0 : 1);
        if (best && needed >= least) continue;
        best = &result;
        least = needed;
    }
    if (!best) {
        turn.stay += chance;
        return;
    }
    turn.mean += chance * least;
    const Turns rest = turns(best->index);
    const std::size_t shift = best->again ? 0 : 1;
    turn.sum.resize(std::max(turn.sum.size(), rest.count + shift));
    for (std::size_t i = 0; i < rest.count; ++i) turn.sum[i + shift] += chance * rest.chances[i];
}

void OneSided::Column::add(Turn& turn) {
    const double stay = turn.stay;
    std::vector<double>& sum = turn.sum;
    if (stay > 1 - kTail) throw std::invalid_argument("no roll of these dice bears the last checkers off");
    // A turn in which nothing can be moved is a turn more.
    double seen = 0;
    for (std::size_t i = 0; stay > 0 && i < kMaxTurns && seen < 1 - kTail; ++i) {
        if (i == sum.size()) sum.push_back(0);
        if (i) sum[i] += stay * sum[i - 1];
        seen += sum[i];
    }
    double tail = 0;
    while (sum.size() > 1 && tail + sum.back() < kTail) {
        tail += sum.back();
        sum.pop_back();
    }
    sum.back() += tail;
    add((turn.mean + stay) / (1 - stay), sum);
}

void OneSided::Column::add(double mean, const std::vector<double>& distribution) {
    means.push_back(mean);
    chances.insert(chances.end(), distribution.begin(), distribution.end());
    starts.push_back(static_cast<std::uint32_t>(chances.size()));
}

double race(Turns us, Turns them) {
    double win = 0, not_yet = 1;  // them: not done in fewer turns
    for (std::size_t turn = 0; turn < us.count; ++turn) {
        win += us.chances[turn] * not_yet;
        if (turn < them.count) not_yet -= them.chances[turn];
        not_yet = std::max(not_yet, 0.0);
    }
    return std::min(win, 1.0);
}

double mean_pips(const Rules& rules) {
    double sum = 0;
    for (const Row& row : rules.rows) {
        int most = 0;
        for (const Option& option : row.stages.front()) {
            int pips = 0;
            for (int i = 0; i < option.count; ++i) pips += option.numbers[i];
            most = std::max(most, pips);
        }
        sum += row.weight * most;
    }
    return sum / rules.total_weight;
}

}  // namespace barpoint
