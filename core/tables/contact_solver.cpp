#include "tables/contact_solver.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <thread>

namespace barpoint {

namespace {

// Configurations that a thread takes at a time. Results do not depend on it; a block has some hundred, so that few threads wait.
constexpr std::uint32_t kStep = 32;
constexpr int kNever = 31;  // a bit of `landed` that no point has
// Largest change of a sweep that ends the sweeps. Probabilities are kept as floats. With these limits, values agree with the
// readable rules to 2e-13 (docs/engine.md, whole games).
constexpr double kValuesChange = 1e-13, kProbabilityChange = 2e-7;

// Sets of at most two closed points, in the mover's numbers: none, one point, then pairs by their higher point.
constexpr std::size_t kOneClosed = 25, kTwoClosed = 25 + 24 * 23 / 2;

std::size_t closed_set(int low, int high) {
    if (!low) return static_cast<std::size_t>(high);
    return kOneClosed + static_cast<std::size_t>((high - 1) * (high - 2) / 2 + low - 1);
}

const std::vector<Points> kClosed = [] {
    std::vector<Points> sets(kTwoClosed, 0);
    for (int high = 1; high <= 24; ++high) {
        for (int low = 0; low < high; ++low) sets[closed_set(low, high)] = bit(high) | (low ? bit(low) : Points{0});
    }
    return sets;
}();

}  // namespace

ContactSolver::ContactSolver(const Rules& rules, int checkers, int against)
    : rules_(rules), payout_(rules), checkers_(checkers), against_(against) {
    check_contact(rules, checkers, kMaxSolvedCheckers);
    if (against < 1 || against > checkers) {
        throw std::invalid_argument("no slice of whole games against " + std::to_string(against) + " checkers; it has 1 to " +
                                    std::to_string(checkers));
    }
    states_ = rules.rerolls.tokens ? kMaxTokenStates : 1;
    size_ = configuration_count(checkers, kContactPoints);
    few_ = configuration_count(against, kContactPoints);
    block_ = std::max<std::uint32_t>(8, size_ / 32);  // smaller ones take fewer sweeps, but come back to the same values more often
    for (const Row& row : rules.rows) chances_.push_back(static_cast<double>(row.weight) / rules.total_weight);
    for (std::uint32_t index = 0; index < size_; ++index) {
        held_.push_back(occupied(configuration_side(index, rules.checkers, kContactPoints)) & kBoard);
        met_.push_back(across(rules.meeting, held_.back()));
    }
    find_plays();
    find_targets();
    set_ends();
}

// How many sets of closed points a configuration may meet.
std::size_t ContactSolver::closed_sets(std::uint32_t us) const {
    const int most = us < few_ ? checkers_ : against_;  // checkers of the other side
    return most < 2 ? 1 : most < 4 ? kOneClosed : kTwoClosed;
}

void ContactSolver::find_plays() {
    const std::size_t rows = chances_.size();
    std::size_t spans = 0;
    for (std::uint32_t us = 0; us < size_; ++us) {
        first_span_.push_back(spans);
        spans += closed_sets(us) * rows;
    }
    spans_.assign(spans, {});
    PlayBuffer buffer;
    std::vector<Reply> found;
    for (std::uint32_t us = 1; us < size_; ++us) {
        Position position;
        position.us = configuration_side(us, rules_.checkers, kContactPoints);
        for (std::size_t closed = 0; closed < closed_sets(us); ++closed) {
            if (held_[us] & kClosed[closed]) continue;
            position.them = {};
            for (int point = 1; point <= 24; ++point) {
                const std::uint8_t standing = held_[us] & bit(point) ? 0 : kClosed[closed] & bit(point) ? 2 : 1;
                position.them.points[rules_.meets[static_cast<std::size_t>(point)]] = standing;
            }
            const Points before = across(rules_.meeting, singles(position.them));
            for (std::size_t row = 0; row < rows; ++row) {
                generate(rules_, position, static_cast<int>(row), buffer);
                found.clear();
                for (std::size_t i = 0; i < buffer.size(); ++i) {
                    const Position& result = buffer.result(i);
                    const Points landed = before & ~across(rules_.meeting, singles(result.them));
                    found.push_back({landed, static_cast<std::uint32_t>(configuration_index(result.us, checkers_, kContactPoints))});
                }
                Span& here = spans_[span_index(us, closed, row)];
                const Span open = span(us, 0, row);
                const auto same = [](const Reply& a, const Reply& b) { return a.landed == b.landed && a.next == b.next; };
                if (closed && std::equal(found.begin(), found.end(), replies_.begin() + open.first, replies_.begin() + open.last, same)) {
                    here = open;  // most closed points are in nobody's way
                    continue;
                }
                here.first = static_cast<std::uint32_t>(replies_.size());
                replies_.insert(replies_.end(), found.begin(), found.end());
                here.last = static_cast<std::uint32_t>(replies_.size());
            }
        }
    }
    replies_.shrink_to_fit();
}

void ContactSolver::find_targets() {
    for (std::uint32_t index = 0; index < size_; ++index) {
        const Side side = configuration_side(index, rules_.checkers, kContactPoints);
        Target target;
        target.blots.fill(kNever);
        std::array<int, kMaxSolvedCheckers> own = {};
        std::array<int, 2> shut = {};
        std::size_t blots = 0, closed = 0;
        for (int point = 1; point <= 24; ++point) {
            if (side.points[point] == 1) {
                own[blots] = point;
                target.blots[blots++] = rules_.meets[static_cast<std::size_t>(point)];
            } else if (side.points[point] >= rules_.block) {
                shut[closed++] = rules_.meets[static_cast<std::size_t>(point)];
            }
        }
        if (closed) target.closed = closed_set(closed > 1 ? std::min(shut[0], shut[1]) : 0, std::max(shut[0], shut[1]));
        for (std::uint32_t hits = 0; hits < target.hit.size(); ++hits) {
            Side after = side;
            for (std::size_t blot = 0; blot < blots; ++blot) {
                if (!(hits >> blot & 1)) continue;
                --after.points[own[blot]];
                ++after.points[kBar];
            }
            target.hit[hits] = static_cast<std::uint32_t>(configuration_index(after, checkers_, kContactPoints));
        }
        targets_.push_back(target);
    }
}

// Who meets a side that has borne off everything has lost.
void ContactSolver::set_ends() {
    values_.assign(offset(size_, 0), 0.0);
    for (std::uint32_t us = 1; us < size_; ++us) {
        Position position;
        position.us = configuration_side(us, rules_.checkers, kContactPoints);
        position.them = configuration_side(0, rules_.checkers, kContactPoints);
        const double lost = -outcome(rules_, position).points;
        double* out = &values_[offset(us, 0)];
        for (int state = 0; state < states_; ++state, out += kContactHolders) {
            std::fill_n(out, kContactHolders, lost);
            out[kCentredJacoby] = -1;
        }
    }
}

template <int kStates>
void ContactSolver::solve_values(std::uint32_t us, std::uint32_t them, double* out) const {
    constexpr std::size_t kCells = kStates * kContactHolders;
    const std::size_t rows = chances_.size();
    static thread_local std::vector<std::array<double, kCells>> best;
    static thread_local std::vector<char> ended;
    best.resize(rows);
    ended.assign(rows, 0);
    const Target& target = targets_[them];
    std::array<const double*, 16> seen_after;
    for (std::size_t hits = 0; hits < seen_after.size(); ++hits) seen_after[hits] = &values_[offset(target.hit[hits], 0)];
    for (std::size_t row = 0; row < rows; ++row) {
        std::array<double, kCells> least;
        least.fill(4.0);
        const Span& found = span(us, target.closed, row);
        for (std::uint32_t i = found.first; i < found.last; ++i) {
            const Reply reply = replies_[i];
            const double* seen = seen_after[target.hits(reply.landed)] + reply.next * kCells;
            for (std::size_t cell = 0; cell < kCells; ++cell) least[cell] = std::min(least[cell], seen[cell]);
        }
        best[row] = least;
    }
    std::array<ContactEquities, kStates> rolling = {};
    roll_values<kStates, kContactHolders>(rules_.rerolls, chances_, best, ended, rolling);
    for (const ContactEquities& of_state : rolling) {
        const ContactEquities values = with_double(of_state);
        out = std::copy(values.begin(), values.end(), out);
    }
}

// The chances when both sides play for the cubeless equity, and call for it.
template <int kStates>
void ContactSolver::solve_probabilities(std::uint32_t us, std::uint32_t them, float* out) const {
    constexpr std::size_t kCells = kStates * kContactHolders;
    const Target& target = targets_[them];
    std::array<std::array<double, kMaxProbabilities>, kStates> sums = {};
    std::array<double, kStates> equity = {};  // of rolling
    std::array<Probabilities, kStates> means = {};
    static thread_local std::vector<std::array<double, kStates>> least;
    static thread_local std::vector<std::array<Probabilities, kStates>> probabilities;
    least.resize(chances_.size());
    probabilities.resize(chances_.size());
    for (std::size_t row = 0; row < chances_.size(); ++row) {
        const Span& found = span(us, target.closed, row);
        least[row].fill(4.0);
        std::array<std::size_t, kStates> best = {};
        for (std::uint32_t i = found.first; i < found.last; ++i) {
            const std::size_t after = pair(target.hit[target.hits(replies_[i].landed)], replies_[i].next);
            for (int state = 0; state < kStates; ++state) {
                const double seen = values_[after * kCells + static_cast<std::size_t>(state) * kContactHolders];
                if (seen < least[row][state]) least[row][state] = seen, best[state] = after;
            }
        }
        for (int state = 0; state < kStates; ++state) {
            std::copy_n(&probabilities_[(best[state] * kStates + static_cast<std::size_t>(state)) * kMaxProbabilities], kMaxProbabilities,
                        probabilities[row][state].begin());
        }
    }
    for (int state = 0; state < kStates; ++state) {
        const int mirrored = kStates == 1 ? 0 : flip_tokens(state);
        for (std::size_t row = 0; row < chances_.size(); ++row) {
            double value = -least[row][mirrored];
            Probabilities kept = payout_.flip(probabilities[row][mirrored]);
            const Reroll reroll = decide_reroll(rules_.rerolls, state, value, false, [&](int left) { return equity[left]; });
            if (reroll != Reroll::none) {
                value = equity[tokens_left(state, reroll)];
                kept = means[tokens_left(state, reroll)];
            }
            equity[state] += chances_[row] * value;
            for (int i = 0; i < kMaxProbabilities; ++i) sums[state][i] += chances_[row] * static_cast<double>(kept[i]);
        }
        for (int i = 0; i < kMaxProbabilities; ++i) means[state][i] = static_cast<float>(sums[state][i]);
        out = std::copy(means[state].begin(), means[state].end(), out);
    }
}

// Solves some of our configurations against some of the other side's; the largest change. The values of a batch are written
// when all of it is known.
template <class Number, class Solve>
double ContactSolver::batch(Range us, Range them, int threads, std::vector<Number>& table, std::size_t cell, Solve solve) {
    std::vector<Number> fresh(us.length() * them.length() * cell, 0);
    std::vector<double> changes(static_cast<std::size_t>(threads), 0.0);
    const auto in_threads = [threads](Range all, auto work) {
        std::atomic<std::uint32_t> next = all.first;
        std::vector<std::thread> others;
        const auto run = [&](std::size_t thread) {
            for (std::uint32_t first; (first = next.fetch_add(kStep)) < all.last;) work({first, std::min(first + kStep, all.last)}, thread);
        };
        for (std::size_t thread = 1; thread < static_cast<std::size_t>(threads); ++thread) others.emplace_back(run, thread);
        run(0);
        for (std::thread& other : others) other.join();
    };
    // One configuration of the other side after the other: its row of the table is what is read.
    const auto solve_all = [&](Range ours, Range theirs) {
        for (std::uint32_t t = theirs.first; t < theirs.last; ++t) {
            for (std::uint32_t u = ours.first; u < ours.last; ++u) {
                if (possible(u, t)) solve(u, t, &fresh[((u - us.first) * them.length() + (t - them.first)) * cell]);
            }
        }
    };
    if (us.length() > them.length()) {
        in_threads(us, [&](Range part, std::size_t) { solve_all(part, them); });
    } else {
        in_threads(them, [&](Range part, std::size_t) { solve_all(us, part); });
    }
    in_threads(us, [&](Range part, std::size_t thread) {
        for (std::uint32_t u = part.first; u < part.last; ++u) {
            const Number* in = &fresh[(u - us.first) * them.length() * cell];
            Number* out = &table[pair(u, them.first) * cell];
            for (std::size_t i = 0; i < them.length() * cell; ++i) {
                changes[thread] = std::max(changes[thread], std::abs(static_cast<double>(in[i] - out[i])));
                out[i] = in[i];
            }
        }
    });
    return *std::max_element(changes.begin(), changes.end());
}

void ContactSolver::batch(Range us, Range them, int threads) {
    // Blocks end at `few_`, so either side has few checkers throughout or more throughout, and rows are long enough.
    if (them.last > few_ && us.last > few_) (them.first >= few_ ? us.last : them.last) = few_;
    if (us.first >= us.last || them.first >= them.last) return;
    const auto states = static_cast<std::size_t>(states_);
    double change;
    if (stage_ == Stage::values) {
        change = batch(us, them, threads, values_, states * kContactHolders, [this](std::uint32_t u, std::uint32_t t, double* out) {
            states_ == 1 ? solve_values<1>(u, t, out) : solve_values<kMaxTokenStates>(u, t, out);
        });
    } else {
        change = batch(us, them, threads, probabilities_, states * kMaxProbabilities, [this](std::uint32_t u, std::uint32_t t, float* out) {
            states_ == 1 ? solve_probabilities<1>(u, t, out) : solve_probabilities<kMaxTokenStates>(u, t, out);
        });
    }
    change_ = std::max(change_, change);
}

// A play leads to a smaller configuration of ours. So with all pairs of smaller configurations known, those of the next block against
// them are next, and then the others against it: all but hits then rests on values of this sweep.
void ContactSolver::advance(std::uint32_t count, int threads) {
    while (count > 0 && stage_ != Stage::done) {
        const Range block{done_, std::min(done_ + block_, done_ < few_ ? few_ : size_)};
        batch(block, {1, block.first}, threads);
        batch({1, block.last}, block, threads);
        count -= std::min<std::uint32_t>(count, block.last - block.first);
        done_ = block.last;
        if (done_ == size_) end_sweep();
    }
}

void ContactSolver::end_sweep() {
    done_ = 1;
    ++sweep_;
    last_change_ = change_;
    change_ = 0;
    if (last_change_ > (stage_ == Stage::values ? kValuesChange : kProbabilityChange)) return;
    if (stage_ == Stage::probabilities) {
        stage_ = Stage::done;
        return;
    }
    stage_ = Stage::probabilities;
    sweep_ = 0;
    probabilities_.assign(probability_offset(size_, 0), 0.0f);
    for (std::uint32_t us = 1; us < size_; ++us) {
        Position position;
        position.us = configuration_side(us, rules_.checkers, kContactPoints);
        position.them = configuration_side(0, rules_.checkers, kContactPoints);
        const Probabilities lost = payout_.ended(outcome(rules_, position));
        for (int state = 0; state < states_; ++state) {
            std::copy(lost.begin(), lost.end(), &probabilities_[probability_offset(us, 0) + static_cast<std::size_t>(state) * kMaxProbabilities]);
        }
    }
}

double ContactSolver::row_equity(std::uint32_t us, std::uint32_t them, int row) const {
    double least = 4.0;
    if (!possible(us, them)) return -least;
    const Target& target = targets_[them];
    const Span& found = span(us, target.closed, static_cast<std::size_t>(row));
    for (std::uint32_t i = found.first; i < found.last; ++i) {
        least = std::min(least, values_[offset(target.hit[target.hits(replies_[i].landed)], replies_[i].next)]);
    }
    return -least;
}

void ContactSolver::row(std::uint32_t us, float* out) const {
    for (std::uint32_t them = 0; them < size_; ++them) {
        for (int state = 0; state < states_; ++state, out += kContactCell) {
            std::fill_n(out, kContactCell, 0.0f);
            if (!possible(us, them)) continue;
            std::copy_n(&probabilities_[probability_offset(us, them) + static_cast<std::size_t>(state) * kMaxProbabilities], kMaxProbabilities, out);
            const double* equities = at(us, them, state);
            for (std::size_t holder = kOwned; holder < kContactHolders; ++holder) {
                out[kMaxProbabilities + holder - 1] = static_cast<float>(equities[holder]);
            }
        }
    }
}

void ContactSolver::resume(const Progress& progress, const double* values, std::size_t values_count, const float* probabilities,
                           std::size_t probabilities_count) {
    const std::size_t expected = progress.stage == Stage::values ? 0 : probability_offset(size_, 0);
    if (values_count != values_.size() || probabilities_count != expected || progress.done < 1 || progress.done >= size_) {
        throw std::invalid_argument("saved work does not have the size of this table");
    }
    stage_ = progress.stage;
    sweep_ = progress.sweep;
    done_ = progress.done;
    change_ = progress.change;
    last_change_ = progress.last_change;
    std::copy_n(values, values_count, values_.begin());
    probabilities_.assign(probabilities, probabilities + probabilities_count);
}

}  // namespace barpoint
