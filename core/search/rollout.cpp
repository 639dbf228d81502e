#include "search/rollout.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "rules/dice.hpp"
#include "threads.hpp"

namespace barpoint {
namespace {

constexpr std::uint64_t kStrataKey = 0x737472617461;  // keeps the order of strata apart from rolls
// Plays of one roll whose luck is measured. A bound: only Acey-Deucey's 2-1 has more, and luck is subtracted
// with mean 0 whichever plays are looked at.
constexpr std::size_t kMaxLuckPlays = 400;
// Plays of the roll that came, preselected by the pruning net. Ten alone would cost who contains a last checker, and has forty plays a roll to
// the other side's three, 0.03 points a game (docs/decisions/0025).
constexpr Filter kPlays = {10, 0.40f, 3};
// Rolls after which games of one start often reach the same position: 1,296 games have 377 positions after two rolls and 1,150
// after three, which would save 146 evaluations of 1,296 (benchmarks/results.md, cuts). At most 21 + 21 * 21 positions are early
// with two dice; kMaxEarly bounds what other starts and dice may keep. The gain: benchmarks/results.md, "Tried and reverted".
constexpr int kEarly = 2;
constexpr std::size_t kMaxEarly = 1000;
// Both as shares of half a swing between a plain loss and a plain win; measured: benchmarks/results.md, cuts.
// Another roll is searched one ply further within this. In 3,200 decisions of Roll-Over at one ply 0.05 loses nothing and searches
// 12 % of them further, 0 loses 0.008 millipoints; 0.25 would search 36 %.
constexpr double kNear = 0.1;
// Plays that the cube may put in another order. In 1,600 decisions 0.02 loses nothing, 0 loses 0.06 millipoints; 0.1 values 7
// plays instead of 4, each by the cube net where there is one.
constexpr double kRivals = 0.1;

// Element `at` of a shuffled pack of tickets 0 .. count - 1.
int shuffled(std::uint64_t seed, std::uint64_t pack, int count, int at) {
    Stream stream(seed ^ kStrataKey, pack);
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (int i = count; i > 1; --i) std::swap(order[i - 1], order[stream.below(static_cast<std::uint32_t>(i))]);
    return order[at];
}

// Half of what lies between a plain loss and a plain win at the present cube.
double half_swing(const Stakes& stakes) { return (stakes.point_values.of(stakes.cube) - stakes.point_values.of(-stakes.cube)) / 2; }

}  // namespace

int rollout_row(const Rules& rules, const RolloutSettings& settings, std::uint64_t game, int number) {
    if (!settings.stratify || number > 1) return random_row(rules, settings.seed, game, static_cast<std::uint64_t>(number));
    const auto wide = static_cast<std::uint64_t>(rules.total_weight);
    const std::uint64_t round = game / (wide * wide), at = game % (wide * wide);
    const std::uint64_t column = number == 0 ? at % wide : (at / wide + at % wide) % wide;  // a Latin square
    return row_of(rules, shuffled(settings.seed, 2 * round + static_cast<std::uint64_t>(number), rules.total_weight,
                                  static_cast<int>(column)));
}

// A game under way. Sums of luck are for the player to act at its start.
struct RolloutPlayer::State {
    Position position;
    int tokens;
    Stakes stakes;
    std::uint64_t game;
    bool ours = true;  // the player to act is the one of the start
    int number = 0;    // rolls so far
    std::array<double, kMaxProbabilities> luck_probabilities = {};
    double luck = 0;

    double for_start(double value) const { return ours ? value : stakes.point_values.money() ? -value : 1 - value; }

    void add_luck(const Payout& payout, const Probabilities& probabilities, const std::array<double, kMaxProbabilities>& mean, double value,
                  double expected) {
        std::array<double, kMaxProbabilities> more;
        for (int i = 0; i < kMaxProbabilities; ++i) more[i] = static_cast<double>(probabilities[i]) - mean[i];
        if (!ours) more = payout.flip_difference(more);
        for (int i = 0; i < kMaxProbabilities; ++i) luck_probabilities[i] += more[i];
        luck += ours ? value - expected : expected - value;  // of points and of chances to win alike
    }

    RolloutGame result(const Payout& payout, const Probabilities& probabilities, double value) const {
        const Probabilities seen = ours ? probabilities : payout.flip(probabilities);
        RolloutGame out;
        for (int i = 0; i < kMaxProbabilities; ++i) out[i] = static_cast<double>(seen[i]) - luck_probabilities[i];
        out[kMaxProbabilities] = for_start(value) - luck;
        return out;
    }
};

RolloutPlayer::RolloutPlayer(const Rules& rules, const Net& net, const Net* pruning_net, const RolloutSettings& settings)
    : rules_(rules), settings_(settings), payout_(rules), tables_(settings.tables ? Tables::of(rules) : nullptr),
      search_(rules, &net, tables_, pruning_net), luck_search_(rules, &net, tables_, pruning_net), appraisal_(rules), rows_(rules.rows.size()) {
    luck_search_.limit(kMaxLuckPlays);
    search_.filter_plays(kPlays);
}

double RolloutPlayer::cube_efficiency(const Stakes& stakes, const Position& position) const {
    return stakes.in_play ? settings_.efficiency.constant_at(position) : 0;
}

// Chooses plays by their value at these stakes from now on.
void RolloutPlayer::weigh(const Stakes& stakes) {
    appraisal_.set(stakes);
    value_plainly(search_);
    value_plainly(luck_search_);
}

// Without a cube in the tree.
void RolloutPlayer::value_plainly(Search& search) const { search.value_by(appraisal_.scales(), std::nullopt, appraisal_.prices()); }

bool RolloutPlayer::needs_rows(const State& state) const {
    const Rerolls& rerolls = rules_.rerolls;
    if (state.position.us.owed) return false;  // neither luck nor a reroll
    return settings_.reduce || roller_may_reroll(rerolls, state.tokens) || other_may_reroll(rerolls, state.tokens);
}

void RolloutPlayer::evaluate_row(const State& state, int row, const Best& best, double efficiency, Roll& out) {
    const bool further = rules_.rows[row].followed();
    if (!(further && state.stakes.in_play)) {
        for (int tokens = state.tokens;; tokens = (tokens - 1) & state.tokens) {
            out.index[tokens] = best.index[tokens];
            out.ended[tokens] = best.ended[tokens];
            out.probabilities[tokens] = best.values[tokens];
            out.value[tokens] = appraisal_.after(search_.by_rung(best.values, tokens), false, best.ended[tokens], efficiency);
            if (tokens == 0) return;
        }
    }
    luck_search_.candidates(state.position, row, 0, candidates_);
    for (int tokens = state.tokens;; tokens = (tokens - 1) & state.tokens) {
        const Candidate* found = nullptr;
        double most = 0;
        for (const Candidate& candidate : candidates_) {
            const double merit = appraisal_.merit(candidate.values[tokens]);
            if (found && merit <= most) continue;
            found = &candidate;
            most = merit;
        }
        out.index[tokens] = found->index;
        out.ended[tokens] = found->ended;
        out.probabilities[tokens] = found->values[tokens];
        out.value[tokens] = appraisal_.after(search_.by_rung(found->values, tokens), found->again, found->ended, efficiency);
        if (tokens == 0) return;
    }
}

// The decision about a roll whose play has this value to the roller, by the means of rolls with fewer tokens.
Reroll RolloutPlayer::settle(int tokens, double value, bool ended) const {
    return decide_reroll(rules_.rerolls, tokens, value, ended, [&](int left) { return mean_[left]; });
}

double RolloutPlayer::settled(int tokens, const Roll& rolled, Probabilities& probabilities) const {
    const Reroll reroll = settle(tokens, rolled.value[tokens], rolled.ended[tokens]);
    if (reroll == Reroll::none) {
        probabilities = rolled.probabilities[tokens];
        return rolled.value[tokens];
    }
    const int left = tokens_left(tokens, reroll);
    for (int i = 0; i < kMaxProbabilities; ++i) probabilities[i] = static_cast<float>(mean_probabilities_[left][i]);
    return mean_[left];
}

void RolloutPlayer::average_rows(const State& state) {
    for (int tokens = 0; tokens < kMaxTokenStates; ++tokens) {
        if (tokens & ~state.tokens) continue;
        double sum = 0;
        std::array<double, kMaxProbabilities> probabilities = {};
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            Probabilities seen;
            const double weight = rules_.rows[row].weight;
            sum += weight * settled(tokens, rows_[row], seen);
            for (int i = 0; i < kMaxProbabilities; ++i) probabilities[i] += weight * static_cast<double>(seen[i]);
        }
        for (double& probability : probabilities) probability /= rules_.total_weight;
        mean_[tokens] = sum / rules_.total_weight;
        mean_probabilities_[tokens] = probabilities;
    }
}

// For points the best plays depend on the position alone.
const std::vector<Best>& RolloutPlayer::best_plays(const State& state) {
    std::vector<Best>* out = &best_;
    early_now_ = state.number <= kEarly && !appraisal_.scales();
    if (early_now_) {
        if (const auto found = early_.find(state.position); found != early_.end()) return found->second;
        if (early_.size() < kMaxEarly) out = &early_[state.position];
    }
    luck_search_.best_of_rows(state.position, *out);
    return *out;
}

void RolloutPlayer::evaluate_rows(const State& state) {
    // One efficiency for all rows: a roll hardly ever changes the phase, and luck needs no more.
    const double efficiency = cube_efficiency(state.stakes, state.position);
    const std::vector<Best>& best = best_plays(state);
    for (std::size_t row = 0; row < rows_.size(); ++row) evaluate_row(state, static_cast<int>(row), best[row], efficiency, rows_[row]);
    average_rows(state);
}

// Ends the game with the net's probabilities.
void RolloutPlayer::stop(State& state, RolloutGame& out) {
    Probabilities probabilities;
    const CubeValues seen = decide(state, settings_.plies, probabilities);
    out = state.result(payout_, probabilities, seen.best());
}

// Values of the cube actions at a search depth, and the probabilities there.
CubeValues RolloutPlayer::decide(const State& state, int plies, Probabilities& probabilities) {
    Values values;
    if (!state.stakes.in_play) {
        search_.evaluate(state.position, plies, values);
        probabilities = values[state.tokens];
        return cube_values(payout_, search_.by_rung(values, state.tokens), state.stakes, 0);
    }
    const CubeTree tree(payout_, state.stakes, settings_.efficiency, plies);
    PlaceValuesByTokens rolling;
    search_.value_by(appraisal_.scales(), tree);
    search_.evaluate(state.position, plies, values, rolling);
    value_plainly(search_);
    probabilities = values[state.tokens];
    return tree.decision(search_.by_rung(values, state.tokens), state.position, rolling[state.tokens]);
}

// The value to the player to act, who may still double, where a table knows the position with its cube; else NaN.
double RolloutPlayer::exact_cube(const Position& position, int tokens, const Stakes& stakes) const {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    if (!tables_ || !stakes.in_play || !stakes.point_values.money() || outcome(rules_, position).over) return nothing;
    const std::optional<CubeRace> race = tables_->cube(position, tokens, stakes.jacoby);
    if (!race) return nothing;
    if (stakes.owner < 0) return race->theirs * stakes.cube;
    if (stakes.owner > 0) return (stakes.may_double ? race->owned : race->roll_owned) * stakes.cube;
    return (stakes.may_double ? race->centred : race->roll_centred) * stakes.cube;
}

// Whether a table knows the rest of the game: with a cube for money exactly, without one in every race.
bool RolloutPlayer::known(const State& state, RolloutGame& out) const {
    if (!tables_) return false;
    Values values;
    if (state.stakes.in_play) {
        const double value = exact_cube(state.position, state.tokens, state.stakes);
        if (std::isnan(value) || tables_->ask(state.position, values) != Known::exact) return false;
        out = state.result(payout_, values[state.tokens], value);
        return true;
    }
    const Known found = tables_->ask(state.position, values);
    if (found == Known::nothing || (found == Known::race && state.tokens != 0)) return false;
    const Probabilities& probabilities = values[state.tokens];
    out = state.result(payout_, probabilities, cube_values(payout_, probabilities, state.stakes, 0).no_double);
    return true;
}

// The player to act decides about the cube, the other side answers; true when the game ends by it.
bool RolloutPlayer::turn_cube(State& state, RolloutGame& out) {
    Stakes& stakes = state.stakes;
    if (!stakes.in_play || !stakes.may_double || stakes.owner < 0) return false;
    Probabilities probabilities;
    const CubeValues seen = decide(state, settings_.cube_plies, probabilities);
    if (!seen.may_double || std::min(seen.double_take, seen.double_pass) <= seen.no_double) return false;
    if (seen.double_pass < seen.double_take) {
        out = state.result(payout_, probabilities, seen.double_pass);
        return true;
    }
    stakes.cube *= seen.beaver ? 4 : 2;
    stakes.owner = -1;
    return false;
}

// The play of a roll, and its value to the mover.
void RolloutPlayer::choose(const State& state, int row, Candidate& out, double& value) {
    const int plies = settings_.plies_at(state.number);
    if (plies > 0 && state.stakes.in_play) return choose_with_cube(state, row, plies, out, value);
    // Plays of early rolls are always evaluated anew, kept rows or not: so games do not depend on their order.
    const bool looked_at = plies == 0 && needs_rows(state) && !early_now_ &&
                           luck_search_.more_of_row(state.position, row, state.tokens, kPlays, candidates_);
    if (!looked_at) search_.candidates(state.position, row, plies, candidates_);
    double most = 0;
    const Candidate* found = nullptr;
    for (const Candidate& candidate : candidates_) {
        if (!candidate.deep) continue;
        const double merit = appraisal_.merit(candidate.values[state.tokens]);
        if (found && merit <= most) continue;
        found = &candidate;
        most = merit;
    }
    std::optional<CubeTree> tree;
    if (state.stakes.in_play) tree.emplace(payout_, state.stakes, settings_.efficiency, 0);
    const auto value_of = [&](const Candidate& candidate) {
        const Position next = candidate.again ? candidate.result : candidate.result.flip();
        if (!candidate.again && !candidate.ended) {
            const double theirs = exact_cube(next, flip_tokens(state.tokens), state.stakes.flip());
            if (!std::isnan(theirs)) return -theirs;
        }
        const RungProbabilities seen = search_.by_rung(candidate.values, state.tokens);
        if (!tree || candidate.ended) return appraisal_.after(seen, candidate.again, candidate.ended, 0);
        return tree->value(tree->after(0, candidate.again, next, seen, nullptr));
    };
    value = value_of(*found);
    if (state.stakes.in_play) {
        const double bar = most - kRivals * half_swing(state.stakes);
        for (const Candidate& candidate : candidates_) {
            if (!candidate.deep || &candidate == found || appraisal_.merit(candidate.values[state.tokens]) < bar) continue;
            const double found_value = value_of(candidate);
            if (found_value <= value) continue;
            found = &candidate;
            value = found_value;
        }
    }
    out = *found;
}

void RolloutPlayer::choose_with_cube(const State& state, int row, int plies, Candidate& out, double& value) {
    search_.value_by(appraisal_.scales(), CubeTree(payout_, state.stakes, settings_.efficiency, plies));
    search_.candidates(state.position, row, plies, candidates_);
    value_plainly(search_);
    const Candidate* found = nullptr;
    const auto better = [&](const Candidate& one, const Candidate& two) {
        const double first = one.stake_value[state.tokens], second = two.stake_value[state.tokens];
        if (first != second) return first > second;
        return appraisal_.merit(one.values[state.tokens]) > appraisal_.merit(two.values[state.tokens]);
    };
    for (const Candidate& candidate : candidates_) {
        if (candidate.deep && (!found || better(candidate, *found))) found = &candidate;
    }
    value = found->stake_value[state.tokens];
    out = *found;
}

// Whether the roll is rerolled. With plies, both sides of a close decision are searched one ply deeper.
Reroll RolloutPlayer::decide_roll(const State& state, double value, bool ended) {
    const int plies = settings_.plies_at(state.number);
    const Reroll first = settle(state.tokens, value, ended);
    if (plies == 0) return first;
    const std::array<double, kMaxTokenStates> kept = mean_;
    const double bar = kNear * half_swing(state.stakes);
    bool near = false;
    for (const int token : {kOwnToken, kTheirToken}) {
        near = near || ((state.tokens & token) && std::abs(mean_[state.tokens & ~token] - value) < bar);
    }
    if (!near) return first;
    Values again;
    search_.evaluate(state.position, std::min(plies + 1, 4), again);
    // By the constants, and the value by the cube net where there is one; no net of a game with tokens has one.
    const double efficiency = cube_efficiency(state.stakes, state.position);
    for (const int token : {kOwnToken, kTheirToken}) {
        if (state.tokens & token) mean_[state.tokens & ~token] = appraisal_.before(search_.by_rung(again, state.tokens & ~token), efficiency);
    }
    const Reroll found = settle(state.tokens, value, ended);
    mean_ = kept;
    return found;
}

RolloutGame RolloutPlayer::play(const RolloutStart& start, std::uint64_t game, const Job& job) {
    State state{start.position, start.tokens, start.stakes, game};
    RolloutGame out = {};
    if (const Outcome end = outcome(rules_, state.position); end.over) {
        appraisal_.set(state.stakes);
        const Probabilities probabilities = payout_.ended(end);
        return state.result(payout_, probabilities, appraisal_.after(probabilities, false, true, 0));
    }
    for (;;) {
        if (job.stopped()) return out;
        weigh(state.stakes);
        if (state.number >= kMaxRollout || (settings_.truncate > 0 && state.number >= settings_.truncate)) {
            stop(state, out);
            return out;
        }
        if (known(state, out) || turn_cube(state, out)) return out;
        state.stakes.may_double = false;
        weigh(state.stakes);
        const bool rows = needs_rows(state);
        if (rows) evaluate_rows(state);
        Candidate played;
        double value;
        Reroll reroll;
        for (;;) {
            const int owed = owed_row(state.position), row = owed < 0 ? rollout_row(rules_, settings_, game, state.number++) : owed;
            if (settings_.reduce && rows) {
                Probabilities seen;
                const double found = settled(state.tokens, rows_[row], seen);
                state.add_luck(payout_, seen, mean_probabilities_[state.tokens], found, mean_[state.tokens]);
            }
            choose(state, row, played, value);
            reroll = rows ? decide_roll(state, value, played.ended) : Reroll::none;
            if (reroll == Reroll::none) break;
            state.tokens = tokens_left(state.tokens, reroll);
            if (reroll == Reroll::by_other && rules_.rerolls.double_after_cancel) break;
        }
        if (reroll != Reroll::none) {
            state.stakes.may_double = true;
            continue;
        }
        if (played.ended) return state.result(payout_, played.values[state.tokens], value);
        if (played.again) {
            state.position = played.result;
            continue;
        }
        state.position = played.result.flip();
        state.tokens = flip_tokens(state.tokens);
        state.stakes = state.stakes.flip();
        state.ours = !state.ours;
    }
}

void roll_out(Job& job, const Rules& rules, const Net& net, const Net* pruning_net, const RolloutSettings& settings,
              const std::vector<RolloutStart>& starts, std::uint64_t first, std::size_t count, int threads,
              std::vector<RolloutGame>& out, std::vector<std::uint8_t>& done) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    in_threads(static_cast<std::size_t>(threads), [&](std::size_t) {
        try {
            RolloutPlayer player(rules, net, pruning_net, settings);
            for (std::size_t i; (i = next++) < count && !job.stopped() && !failed;) {
                for (std::size_t s = 0; s < starts.size() && !job.stopped(); ++s) {
                    out[s * count + i] = player.play(starts[s], first + i, job);
                }
                if (job.stopped()) return;
                done[i] = 1;
                ++job.done;
            }
        } catch (...) {
            failed = true;
            throw;
        }
    });
}

}  // namespace barpoint
