#include "search.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace barpoint {
namespace {

// Candidates that a deeper look can still change: the net's error on a difference of plays is seldom above this.
constexpr float kFilterMargin = 0.16f;
constexpr std::size_t kFilterMost = 8;

}  // namespace

Search::Search(const Rules& rules, const Net* net, std::shared_ptr<const Tables> tables)
    : rules_(rules), net_(net), tables_(std::move(tables)), payout_(rules), heads_(rules.rerolls.tokens > 0 ? 4 : 1) {
    if (!net) return;
    if (static_cast<int>(net->shape().heads) != heads_) {
        throw std::invalid_argument("the net has " + std::to_string(net->shape().heads) + " marker states, the rules " +
                                    std::to_string(heads_));
    }
    if ((net->shape().per_checker != 0) != rules.per_checker) {
        throw std::invalid_argument("the net's figures are not those of the rules' scoring");
    }
}

Search::Level& Search::level(int plies) {
    while (static_cast<int>(levels_.size()) <= plies) levels_.push_back(std::make_unique<Level>());
    return *levels_[plies];
}

// What is known of a position without a throw: of a game that is over, from the tables, from the net.
Search::Leaf Search::leaf(const Position& next, Values& out) {
    const Outcome end = outcome(rules_, next);
    if (end.over) {
        out.fill(payout_.ended(end));
        return Leaf::ended;
    }
    Values known;
    const Known found = tables_ ? tables_->ask(next, known) : Known::nothing;
    if (found == Known::exact) {
        out = known;
        return Leaf::exact;
    }
    if (found == Known::race && heads_ == 1) {
        out[0] = known[0];
    } else if (net_) {
        net_->evaluate(next, out);
        if (found == Known::race) out[0] = known[0];
    }
    return Leaf::open;
}

void Search::child(const Candidate& candidate, const Position& next, int plies, Values& out) {
    Values seen;
    evaluate(next, plies, seen);
    for (int head = 0; head < heads_; ++head) {
        out[head] = candidate.again ? seen[head] : payout_.flip(seen[other_head(head)]);
    }
}

void Search::expand(const Position& position, int row, int plies, PlayBuffer& buffer, std::vector<Candidate>& out) {
    generate(rules_, position, row, buffer);
    const std::size_t count = most_ ? std::min(buffer.size(), most_) : buffer.size();
    out.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        Candidate& candidate = out[i];
        const std::size_t index = i * buffer.size() / count;
        candidate.index = static_cast<int>(index);
        candidate.result = buffer.result(index);
        candidate.again = buffer.again(index);
        candidate.deep = true;
        Values seen;
        const Leaf found = leaf(buffer.next(index), seen);
        candidate.ended = found == Leaf::ended;
        candidate.final = found != Leaf::open;
        for (int head = 0; head < heads_; ++head) {
            candidate.values[head] = candidate.again ? seen[head] : payout_.flip(seen[other_head(head)]);
        }
        if (!net_ && !candidate.final && plies == 0) throw std::logic_error("a line goes on beyond the plies");
    }
}

// Looks further at the candidates that the net alone finds best for some head. Without a net nothing is known yet, so
// none is left out.
void Search::deepen(int plies, const PlayBuffer& buffer, std::vector<Candidate>& all) {
    if (plies == 0) return;
    if (net_) {
        for (Candidate& candidate : all) candidate.deep = false;
        std::vector<std::size_t> order(all.size());
        for (int head = 0; head < heads_; ++head) {
            const auto equity = [&](std::size_t i) { return payout_.equity(all[i].values[head]); };
            std::iota(order.begin(), order.end(), std::size_t{0});
            const std::size_t kept = std::min(order.size(), kFilterMost);
            std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                              [&](std::size_t a, std::size_t b) {
                                  const float one = equity(a), two = equity(b);
                                  return one > two || (one == two && a < b);
                              });
            const float bar = equity(order[0]) - kFilterMargin;
            for (std::size_t i = 0; i < kept && equity(order[i]) >= bar; ++i) all[order[i]].deep = true;
        }
    }
    for (Candidate& candidate : all) {
        if (candidate.deep && !candidate.final) {
            child(candidate, buffer.next(static_cast<std::size_t>(candidate.index)), plies, candidate.values);
        }
    }
}

void Search::candidates(const Position& position, int row, int plies, std::vector<Candidate>& out) {
    PlayBuffer& buffer = level(plies).buffer;
    expand(position, row, plies, buffer, out);
    deepen(plies, buffer, out);
}

void Search::best(const Position& position, int row, int plies, Best& out) {
    Level& here = level(plies);
    std::vector<Candidate>& all = here.candidates;
    expand(position, row, plies, here.buffer, all);
    deepen(plies, here.buffer, all);
    for (int head = 0; head < heads_; ++head) {
        const Candidate* found = nullptr;
        for (const Candidate& candidate : all) {
            if (!candidate.deep) continue;
            const float equity = payout_.equity(candidate.values[head]);
            if (found && equity <= out.equity[head]) continue;
            found = &candidate;
            out.equity[head] = equity;
        }
        out.index[head] = found->index;
        out.ended[head] = found->ended;
        out.values[head] = found->values[head];
    }
}

Fate Search::settle(int head, const Best& best, const Values& again, Figures& out) const {
    Fate fate = Fate::stands;
    out = best.values[head];
    float equity = best.equity[head];
    const bool annullable = !best.ended[head] || rules_.rerolls.final_roll_cancellable;
    if ((head & 2) && rules_.rerolls.other && annullable) {
        const float called = payout_.equity(again[head & ~2]);
        if (called < equity) {
            fate = Fate::other_call;
            equity = called;
            out = again[head & ~2];
        }
    }
    if ((head & 1) && rules_.rerolls.own) {
        const float called = payout_.equity(again[head & ~1]);
        if (called > equity) {
            fate = Fate::own_call;
            out = again[head & ~1];
        }
    }
    return fate;
}

void Search::average(const std::vector<Best>& rows, Values& out) const {
    for (int head = 0; head < heads_; ++head) {
        Figures sum = {};
        for (std::size_t row = 0; row < rows.size(); ++row) {
            Figures figures;
            settle(head, rows[row], out, figures);
            const auto weight = static_cast<float>(rules_.rows[row].weight);
            for (int i = 0; i < kMostFigures; ++i) sum[i] += weight * figures[i];
        }
        for (float& value : sum) value /= static_cast<float>(rules_.total_weight);
        out[head] = sum;
    }
}

void Search::evaluate(const Position& position, int plies, Values& out) {
    if (leaf(position, out) != Leaf::open) return;
    if (plies == 0) {
        if (!net_) throw std::logic_error("a line goes on beyond the plies");
        return;
    }
    std::vector<Best>& rows = level(plies - 1).rows;
    rows.resize(rules_.rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) best(position, static_cast<int>(row), plies - 1, rows[row]);
    average(rows, out);
}

}  // namespace barpoint
