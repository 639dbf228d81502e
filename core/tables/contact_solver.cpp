#include "tables/contact_solver.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "tables/contact_cells.hpp"
#include "threads.hpp"

namespace barpoint {

namespace {

// Configurations that a thread takes at a time. Results do not depend on it; a block has some hundred, so that few threads wait.
constexpr std::uint32_t kStep = 32;

// The rows of a table in memory. probabilities: not read while values are solved, may be nullptr then.
template <int kStates>
struct Rows {
    Rows(const ContactSolver& solver, const double* all_values, const float* all_probabilities, std::uint32_t them) {
        const ContactPlays::Target& target = solver.plays().target(them);
        for (std::size_t hits = 0; hits < target.hit.size(); ++hits) {
            const std::size_t pair = solver.pair(target.hit[hits], 0);
            values_[hits] = all_values + pair * kStates * kContactHolders;
            if (all_probabilities) probabilities_[hits] = all_probabilities + pair * kStates * kMaxProbabilities;
        }
    }
    const double* values(std::size_t hits, std::uint32_t next) const {
        return values_[hits] + next * std::size_t{kStates * kContactHolders};
    }
    const float* probabilities(std::size_t hits, std::uint32_t next) const {
        return probabilities_[hits] + next * std::size_t{kStates * kMaxProbabilities};
    }

  private:
    std::array<const double*, 16> values_;
    std::array<const float*, 16> probabilities_;
};

}  // namespace

ContactSolver::ContactSolver(const Rules& rules, int checkers, int against) : plays_(rules, checkers, against) {
    const std::size_t cell = static_cast<std::size_t>(states()) * kContactHolders;
    values_.assign(pairs() * cell, 0.0);
    for (std::uint32_t us = 1; us < size(); ++us) plays_.lost(us, &values_[pair(us, 0) * cell]);
}

// Solves some of our configurations against some of the other side's; the largest change. The values of a batch are written
// when all of it is known.
template <class Number, class Solve>
double ContactSolver::batch(Range us, Range them, int threads, std::vector<Number>& table, std::size_t cell, Solve solve) {
    std::vector<Number> fresh(us.length() * them.length() * cell, 0);
    std::vector<double> changes(static_cast<std::size_t>(threads), 0.0);
    const auto in_parts = [threads](Range all, auto work) {
        std::atomic<std::uint32_t> next = all.first;
        in_threads(static_cast<std::size_t>(threads), [&](std::size_t thread) {
            for (std::uint32_t first; (first = next.fetch_add(kStep)) < all.last;) work({first, std::min(first + kStep, all.last)}, thread);
        });
    };
    // One configuration of the other side after the other: its row of the table is what is read.
    const auto solve_all = [&](Range ours, Range theirs) {
        for (std::uint32_t t = theirs.first; t < theirs.last; ++t) {
            solve(ours, t, [&](std::uint32_t u) { return &fresh[((u - us.first) * them.length() + (t - them.first)) * cell]; });
        }
    };
    if (us.length() > them.length()) {
        in_parts(us, [&](Range part, std::size_t) { solve_all(part, them); });
    } else {
        in_parts(them, [&](Range part, std::size_t) { solve_all(us, part); });
    }
    in_parts(us, [&](Range part, std::size_t thread) {
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

template <int kStates>
double ContactSolver::batch(Range us, Range them, int threads) {
    if (stage_ == Stage::values) {
        return batch(us, them, threads, values_, kStates * kContactHolders, [this](Range ours, std::uint32_t t, auto cell_of) {
            const Rows<kStates> rows(*this, values_.data(), nullptr, t);
            for (std::uint32_t u = ours.first; u < ours.last; ++u) {
                if (plays_.possible(u, t)) solve_values<kStates>(plays_, u, t, rows, cell_of(u));
            }
        });
    }
    return batch(us, them, threads, probabilities_, kStates * kMaxProbabilities, [this](Range ours, std::uint32_t t, auto cell_of) {
        const Rows<kStates> rows(*this, values_.data(), probabilities_.data(), t);
        for (std::uint32_t u = ours.first; u < ours.last; ++u) {
            if (plays_.possible(u, t)) solve_probabilities<kStates>(plays_, u, t, rows, cell_of(u));
        }
    });
}

void ContactSolver::solve(Range us, Range them, int threads) {
    // Blocks end at few(), so either side has few checkers throughout or more throughout, and rows are long enough.
    const std::uint32_t few = plays_.few();
    if (them.last > few && us.last > few) (them.first >= few ? us.last : them.last) = few;
    if (us.first >= us.last || them.first >= them.last) return;
    change_ = std::max(change_, states() == 1 ? batch<1>(us, them, threads) : batch<kMaxTokenStates>(us, them, threads));
}

// A play leads to a smaller configuration of ours. So with all pairs of smaller configurations known, those of the next block against
// them are next, and then the others against it: all but hits then rests on values of this sweep.
void ContactSolver::advance(std::uint32_t count, int threads) {
    const std::lock_guard lock(working_);
    while (count > 0 && stage_ != Stage::done) {
        const Range block{done_, plays_.block_end(done_)};
        solve(block, {1, block.first}, threads);
        solve({1, block.last}, block, threads);
        count -= std::min<std::uint32_t>(count, block.last - block.first);
        done_ = block.last;
        if (done_ == size()) end_sweep();
    }
}

void ContactSolver::end_sweep() {
    done_ = 1;
    ++sweep_;
    last_change_ = change_;
    change_ = 0;
    if (last_change_ > (stage_ == Stage::values ? kMaxValuesChange : kMaxProbabilityChange)) return;
    if (stage_ == Stage::probabilities) {
        stage_ = Stage::done;
        return;
    }
    stage_ = Stage::probabilities;
    sweep_ = 0;
    const std::size_t cell = static_cast<std::size_t>(states()) * kMaxProbabilities;
    probabilities_.assign(pairs() * cell, 0.0f);
    for (std::uint32_t us = 1; us < size(); ++us) plays_.lost(us, &probabilities_[pair(us, 0) * cell]);
}

double ContactSolver::row_equity(std::uint32_t us, std::uint32_t them, int row) const {
    double least = 4.0;
    if (!plays_.possible(us, them)) return -least;
    const ContactPlays::Target& target = plays_.target(them);
    for (const ContactPlays::Reply reply : plays_.replies(us, target.closed, static_cast<std::size_t>(row))) {
        least = std::min(least, *at(target.hit[target.hits(reply.landed)], reply.next, 0));
    }
    return -least;
}

void ContactSolver::row(std::uint32_t us, float* out) const {
    for (std::uint32_t them = 0; them < size(); ++them) {
        for (int state = 0; state < states(); ++state, out += kContactCell) {
            std::fill_n(out, kContactCell, 0.0f);
            if (!plays_.possible(us, them)) continue;
            const std::size_t cell = pair(us, them) * static_cast<std::size_t>(states()) + static_cast<std::size_t>(state);
            std::copy_n(&probabilities_[cell * kMaxProbabilities], kMaxProbabilities, out);
            const double* equities = at(us, them, state);
            for (std::size_t holder = kOwned; holder < kContactHolders; ++holder) {
                out[kMaxProbabilities + holder - 1] = static_cast<float>(equities[holder]);
            }
        }
    }
}

void ContactSolver::resume(const Progress& progress, const double* values, std::size_t values_count, const float* probabilities,
                           std::size_t probabilities_count) {
    const std::lock_guard lock(working_);
    const std::size_t expected = progress.stage == Stage::values ? 0 : pairs() * static_cast<std::size_t>(states()) * kMaxProbabilities;
    if (values_count != values_.size() || probabilities_count != expected || progress.done < 1 || progress.done >= size()) {
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
