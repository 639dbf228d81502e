#include "search/rollout.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

#include "rules/dice.hpp"

namespace barpoint {
namespace {

constexpr std::uint64_t kStrataKey = 0x737472617461;  // keeps the order of strata apart from rolls
constexpr std::size_t kMaxLuckPlays = 400;           // of one roll that are looked at to measure luck
constexpr Filter kPlays = {10, 0.30f};                // of a roll that comes that the net looks at, as a pruner finds them
constexpr int kEarly = 2;              // rolls after which games of one start often stand at the same position
constexpr std::size_t kMaxEarly = 1000;
constexpr double kNear = 0.25;  // merit, in units of the stake, within which another roll is looked at further
constexpr double kRivals = 0.1;  // the same for plays that the cube may put in another order

// The ticket that number `at` of a shuffled pack of `count` shows.
int shuffled(std::uint64_t seed, std::uint64_t pack, int count, int at) {
    Stream stream(seed ^ kStrataKey, pack);
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (int i = count; i > 1; --i) std::swap(order[i - 1], order[stream.below(static_cast<std::uint32_t>(i))]);
    return order[at];
}

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
    int head;
    Stakes stakes;
    std::uint64_t game;
    bool ours = true;  // the player to act is the one of the start
    int number = 0;    // rolls so far
    std::array<double, kMaxFigures> luck_figures = {};
    double luck = 0;

    double worth(double value) const { return ours ? value : stakes.worth.money() ? -value : 1 - value; }

    void add_luck(bool per_checker, const Figures& figures, const std::array<double, kMaxFigures>& mean, double value,
                  double expected) {
        std::array<double, kMaxFigures> more;
        for (int i = 0; i < kMaxFigures; ++i) more[i] = static_cast<double>(figures[i]) - mean[i];
        if (!ours) more = per_checker ? decltype(more){-more[0], more[2], more[1], 0, 0}
                                      : decltype(more){-more[0], more[3], more[4], more[1], more[2]};
        for (int i = 0; i < kMaxFigures; ++i) luck_figures[i] += more[i];
        luck += ours ? value - expected : expected - value;  // of points and of chances to win alike
    }

    RolloutGame result(const Payout& payout, const Figures& figures, double value) const {
        const Figures seen = ours ? figures : payout.flip(figures);
        RolloutGame out;
        for (int i = 0; i < kMaxFigures; ++i) out[i] = static_cast<double>(seen[i]) - luck_figures[i];
        out[kMaxFigures] = worth(value) - luck;
        return out;
    }
};

RolloutPlayer::RolloutPlayer(const Rules& rules, const Net& net, const Net* pruner, const RolloutSettings& settings)
    : rules_(rules), settings_(settings), payout_(rules), tables_(settings.tables ? Tables::of(rules) : nullptr),
      search_(rules, &net, tables_, pruner), luck_search_(rules, &net, tables_, pruner), appraisal_(rules), rows_(rules.rows.size()) {
    luck_search_.limit(kMaxLuckPlays);
    search_.look_at_plays(kPlays);
}

double RolloutPlayer::life(const Stakes& stakes, const Position& position) const {
    return stakes.in_play ? settings_.life.at(position) : 0;
}

// Plays are chosen by what they are worth at these stakes from now on.
void RolloutPlayer::weigh(const Stakes& stakes) {
    appraisal_.set(stakes);
    const std::optional<Scales> scales = appraisal_.scales();
    search_.value_by(scales);
    luck_search_.value_by(scales);
}

bool RolloutPlayer::needs_rows(const State& state) const {
    const bool callable = ((state.head & 1) && rules_.rerolls.own) || ((state.head & 2) && rules_.rerolls.other);
    return settings_.reduce || callable;
}

void RolloutPlayer::look_at_row(const State& state, int row, const Best& best, double life, Roll& out) {
    const bool further = rules_.rows[row].again;
    if (!(further && state.stakes.in_play)) {
        for (int head = state.head;; head = (head - 1) & state.head) {
            out.index[head] = best.index[head];
            out.ended[head] = best.ended[head];
            out.figures[head] = best.values[head];
            out.value[head] = appraisal_.after(best.values[head], false, best.ended[head], life);
            if (head == 0) return;
        }
    }
    luck_search_.candidates(state.position, row, 0, candidates_);
    for (int head = state.head;; head = (head - 1) & state.head) {
        const Candidate* found = nullptr;
        double most = 0;
        for (const Candidate& candidate : candidates_) {
            const double merit = appraisal_.merit(candidate.values[head]);
            if (found && merit <= most) continue;
            found = &candidate;
            most = merit;
        }
        out.index[head] = found->index;
        out.ended[head] = found->ended;
        out.figures[head] = found->values[head];
        out.value[head] = appraisal_.after(found->values[head], found->again, found->ended, life);
        if (head == 0) return;
    }
}

// What becomes of a roll whose play is worth `stands` to the roller, by the means of rolls with fewer markers.
Fate RolloutPlayer::settle(int head, double stands, bool ended) const {
    Fate fate = Fate::stands;
    if ((head & 2) && rules_.rerolls.other && (!ended || rules_.rerolls.final_roll_cancellable) && mean_[head & ~2] < stands) {
        fate = Fate::other_call;
        stands = mean_[head & ~2];
    }
    if ((head & 1) && rules_.rerolls.own && mean_[head & ~1] > stands) fate = Fate::own_call;
    return fate;
}

double RolloutPlayer::settled(int head, const Roll& rolled, Figures& figures) const {
    const Fate fate = settle(head, rolled.value[head], rolled.ended[head]);
    if (fate == Fate::stands) {
        figures = rolled.figures[head];
        return rolled.value[head];
    }
    const int left = fate == Fate::own_call ? head & ~1 : head & ~2;
    for (int i = 0; i < kMaxFigures; ++i) figures[i] = static_cast<float>(mean_figures_[left][i]);
    return mean_[left];
}

void RolloutPlayer::average_rows(const State& state) {
    for (int head = 0; head < kMaxHeads; ++head) {
        if (head & ~state.head) continue;
        double sum = 0;
        std::array<double, kMaxFigures> figures = {};
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            Figures seen;
            const double weight = rules_.rows[row].weight;
            sum += weight * settled(head, rows_[row], seen);
            for (int i = 0; i < kMaxFigures; ++i) figures[i] += weight * static_cast<double>(seen[i]);
        }
        for (double& figure : figures) figure /= rules_.total_weight;
        mean_[head] = sum / rules_.total_weight;
        mean_figures_[head] = figures;
    }
}

// For points they depend on the position alone.
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

void RolloutPlayer::look_at_rows(const State& state) {
    // One life for all rows: the phase after a roll is nearly always that before it, and luck needs no more.
    const double lives = life(state.stakes, state.position);
    const std::vector<Best>& best = best_plays(state);
    for (std::size_t row = 0; row < rows_.size(); ++row) look_at_row(state, static_cast<int>(row), best[row], lives, rows_[row]);
    average_rows(state);
}

// Ends the game with the net's figures.
void RolloutPlayer::stop(State& state, RolloutGame& out) {
    Figures figures;
    const CubeValues seen = decide(state, settings_.plies, figures);
    out = state.result(payout_, figures, seen.best());
}

// What the cube actions are worth so many plies deep, and the chances there.
CubeValues RolloutPlayer::decide(const State& state, int plies, Figures& figures) {
    Values values;
    if (plies == 0 || !state.stakes.in_play) {
        search_.evaluate(state.position, plies, values);
        figures = values[state.head];
        return cube_values(payout_, figures, state.stakes, life(state.stakes, state.position));
    }
    const CubeTree tree(payout_, state.stakes, settings_.life, plies);
    PlacedHeads rolling;
    search_.value_by(appraisal_.scales(), tree);
    search_.evaluate(state.position, plies, values, rolling);
    search_.value_by(appraisal_.scales());
    figures = values[state.head];
    return tree.decision(figures, state.position, rolling[state.head]);
}

// What a position is worth to the player to act, before he may double, where a table knows it with its cube; else NaN.
double RolloutPlayer::exact_cube(const Position& position, int head, const Stakes& stakes) const {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    if (!tables_ || !stakes.in_play || !stakes.worth.money() || outcome(rules_, position).over) return nothing;
    const std::optional<CubeRace> race = tables_->cube(position, head, stakes.jacoby);
    if (!race) return nothing;
    if (stakes.owner < 0) return race->theirs * stakes.cube;
    if (stakes.owner > 0) return (stakes.may_double ? race->owned : race->roll_owned) * stakes.cube;
    return (stakes.may_double ? race->centred : race->roll_centred) * stakes.cube;
}

// Ends a game whose rest a table knows: with a cube for money exactly, without one in every race.
bool RolloutPlayer::known(const State& state, RolloutGame& out) const {
    if (!tables_) return false;
    Values values;
    if (state.stakes.in_play) {
        const double value = exact_cube(state.position, state.head, state.stakes);
        if (std::isnan(value) || tables_->ask(state.position, values) != Known::exact) return false;
        out = state.result(payout_, values[state.head], value);
        return true;
    }
    const Known found = tables_->ask(state.position, values);
    if (found == Known::nothing || (found == Known::race && state.head != 0)) return false;
    const Figures& figures = values[state.head];
    out = state.result(payout_, figures, cube_values(payout_, figures, state.stakes, 0).no_double);
    return true;
}

// The player to act decides about the cube, the other side answers; true when the game ends by it.
bool RolloutPlayer::turn_cube(State& state, RolloutGame& out) {
    Stakes& stakes = state.stakes;
    if (!stakes.in_play || !stakes.may_double || stakes.owner < 0) return false;
    Figures figures;
    const CubeValues seen = decide(state, settings_.cube_plies, figures);
    if (!seen.may_double || std::min(seen.double_take, seen.double_pass) <= seen.no_double) return false;
    if (seen.double_pass < seen.double_take) {
        out = state.result(payout_, figures, seen.double_pass);
        return true;
    }
    stakes.cube *= seen.beaver ? 4 : 2;
    stakes.owner = -1;
    return false;
}

// The play of a roll, and what it is worth to the mover.
void RolloutPlayer::choose(const State& state, int row, Candidate& out, double& value) {
    const bool late = settings_.late_from > 0 && state.number > settings_.late_from;
    const int plies = late ? settings_.late_plies : settings_.plies;
    if (plies > 0 && state.stakes.in_play) return choose_with_cube(state, row, plies, out, value);
    // Plays of early rolls are looked at from the start, whether their rows were kept or not: games are the same in any order.
    const bool looked_at = plies == 0 && needs_rows(state) && !early_now_ &&
                           luck_search_.more_of_row(state.position, row, state.head, kPlays, candidates_);
    if (!looked_at) search_.candidates(state.position, row, plies, candidates_);
    double most = 0;
    const Candidate* found = nullptr;
    for (const Candidate& candidate : candidates_) {
        if (!candidate.deep) continue;
        const double merit = appraisal_.merit(candidate.values[state.head]);
        if (found && merit <= most) continue;
        found = &candidate;
        most = merit;
    }
    const auto worth = [&](const Candidate& candidate) {
        const Position next = candidate.again ? candidate.result : candidate.result.flip();
        if (!candidate.again && !candidate.ended) {
            const double theirs = exact_cube(next, other_head(state.head), state.stakes.flip());
            if (!std::isnan(theirs)) return -theirs;
        }
        const double lives = candidate.ended ? 0 : life(state.stakes, next);
        return appraisal_.after(candidate.values[state.head], candidate.again, candidate.ended, lives);
    };
    value = worth(*found);
    if (state.stakes.in_play) {
        const double unit = state.stakes.worth.of(state.stakes.cube) - state.stakes.worth.of(-state.stakes.cube);
        const double bar = most - kRivals * unit / 2;
        for (const Candidate& candidate : candidates_) {
            if (!candidate.deep || &candidate == found || appraisal_.merit(candidate.values[state.head]) < bar) continue;
            const double found_worth = worth(candidate);
            if (found_worth <= value) continue;
            found = &candidate;
            value = found_worth;
        }
    }
    out = *found;
}

void RolloutPlayer::choose_with_cube(const State& state, int row, int plies, Candidate& out, double& value) {
    search_.value_by(appraisal_.scales(), CubeTree(payout_, state.stakes, settings_.life, plies));
    search_.candidates(state.position, row, plies, candidates_);
    search_.value_by(appraisal_.scales());
    const Candidate* found = nullptr;
    const auto better = [&](const Candidate& one, const Candidate& two) {
        const double first = one.worth[state.head], second = two.worth[state.head];
        if (first != second) return first > second;
        return appraisal_.merit(one.values[state.head]) > appraisal_.merit(two.values[state.head]);
    };
    for (const Candidate& candidate : candidates_) {
        if (candidate.deep && (!found || better(candidate, *found))) found = &candidate;
    }
    value = found->worth[state.head];
    out = *found;
}

// Whether the roll is annulled. Played with plies, both sides of a near decision are looked at as far.
Fate RolloutPlayer::fate(const State& state, double value, bool ended) {
    const bool late = settings_.late_from > 0 && state.number > settings_.late_from;
    const int plies = late ? settings_.late_plies : settings_.plies;
    const Fate first = settle(state.head, value, ended);
    if (plies == 0) return first;
    const std::array<double, kMaxHeads> kept = mean_;
    const double unit = state.stakes.worth.of(state.stakes.cube) - state.stakes.worth.of(-state.stakes.cube);
    bool near = false;
    for (const int bit : {1, 2}) near = near || ((state.head & bit) && std::abs(mean_[state.head & ~bit] - value) < kNear * unit / 2);
    if (!near) return first;
    Values again;
    search_.evaluate(state.position, std::min(plies + 1, 4), again);
    const double lives = life(state.stakes, state.position);
    for (const int bit : {1, 2}) {
        if (state.head & bit) mean_[state.head & ~bit] = appraisal_.before(again[state.head & ~bit], lives);
    }
    const Fate found = settle(state.head, value, ended);
    mean_ = kept;
    return found;
}

RolloutGame RolloutPlayer::play(const RolloutStart& start, std::uint64_t game, const Job& job) {
    State state{start.position, start.head, start.stakes, game};
    RolloutGame out = {};
    if (const Outcome end = outcome(rules_, state.position); end.over) {
        appraisal_.set(state.stakes);
        const Figures figures = payout_.ended(end);
        return state.result(payout_, figures, appraisal_.after(figures, false, true, 0));
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
        if (rows) look_at_rows(state);
        Candidate played;
        double value;
        Fate becomes;
        for (;;) {
            const int row = rollout_row(rules_, settings_, game, state.number++);
            if (settings_.reduce) {
                Figures seen;
                const double found = settled(state.head, rows_[row], seen);
                state.add_luck(payout_.per_checker, seen, mean_figures_[state.head], found, mean_[state.head]);
            }
            choose(state, row, played, value);
            becomes = rows ? fate(state, value, played.ended) : Fate::stands;
            if (becomes == Fate::stands) break;
            state.head &= becomes == Fate::own_call ? ~1 : ~2;
            if (becomes == Fate::other_call && rules_.rerolls.double_after_cancel) break;
        }
        if (becomes != Fate::stands) {
            state.stakes.may_double = true;
            continue;
        }
        if (played.ended) return state.result(payout_, played.values[state.head], value);
        if (played.again) {
            state.position = played.result;
            continue;
        }
        state.position = played.result.flip();
        state.head = other_head(state.head);
        state.stakes = state.stakes.flip();
        state.ours = !state.ours;
    }
}

void roll_out(Job& job, const Rules& rules, const Net& net, const Net* pruner, const RolloutSettings& settings,
              const std::vector<RolloutStart>& starts, std::uint64_t first, std::size_t count, int threads,
              std::vector<RolloutGame>& out, std::vector<std::uint8_t>& done) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;
    std::mutex lock;
    const auto work = [&] {
        try {
            RolloutPlayer player(rules, net, pruner, settings);
            for (std::size_t i; (i = next++) < count && !job.stopped() && !failed;) {
                for (std::size_t s = 0; s < starts.size() && !job.stopped(); ++s) {
                    out[s * count + i] = player.play(starts[s], first + i, job);
                }
                if (job.stopped()) return;
                done[i] = 1;
                ++job.done;
            }
        } catch (...) {
            const std::lock_guard hold(lock);
            failure = std::current_exception();
            failed = true;
        }
    };
    std::vector<std::thread> helpers;
    for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace barpoint
