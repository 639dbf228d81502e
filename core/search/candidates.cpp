// The part of a search that ranks the plays of a roll at the root, each stage searching further those that may still be the best.
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "search/search.hpp"

namespace barpoint {
namespace {

// Plays that a deeper search can still change, by its depth, judged by the search before it. Loss in millipoints a decision, and
// plays searched to the last depth (benchmarks/results.md, cuts; of the first: "Tried and reverted"):
// two plies 0.014, 2.4 plays; 2 within 0.02 0.065, 1.4; 3 within 0.04 0.027, 2.0; 5 within 0.06 0.004, 2.7; 8 within 0.12 0, 4.0;
// three plies 0, 2.1 plays; 2 within 0.04 0.006, 1.6; 5 within 0.08 0, 2.9;
// four plies 0, 1.7 plays; 1 0.285, 1.0; 2 within 0.02 0, 1.5; 4 within 0.08 0, 2.2.
constexpr Filter kFilters[] = {{0, 0}, {8, 0.16f}, {4, 0.05f}, {3, 0.05f}, {2, 0.04f}};

// Share of the cubeless value that is added to order plays which the other side answers by cashing. A bound: other plays that it
// can put in another order differ by 0.0006 points at most, and the net is off by 0.018 (docs/engine.md, Values).
constexpr double kTie = 1e-4;

}  // namespace

// By which plays are filtered at the root.
double Search::merit(const Candidate& candidate, int tokens) const {
    const double plain = equity_of(tokens, candidate.values[tokens]);
    return cube_ ? cube_->normal(candidate.stake_value[tokens]) + kTie * plain : plain;
}

Candidate Search::candidate(const Level& here, std::size_t i) const {
    const Reply& reply = here.replies[i];
    return {reply.index, reply.again ? here.nexts[i] : here.nexts[i].flip(), reply.again, reply.leaf == Leaf::ended,
            final(reply.leaf), reply.wanted, reply.values};
}

void Search::expand(const Position& position, int row, int plies, std::vector<Candidate>& out) {
    Level& here = level(plies);
    evaluate_replies(position, Range::one(row), false, here);
    if (asks_cube_net()) {
        here.cube_sums.replies.resize(here.replies.size());
        std::iota(here.cube_sums.replies.begin(), here.cube_sums.replies.end(), 0u);
        ask_cube_net(here);
    }
    out.clear();
    for (std::size_t i = 0; i < here.replies.size(); ++i) {
        const Reply& reply = here.replies[i];
        out.push_back(candidate(here, i));
        const bool known = reply.leaf == Leaf::exact || reply.leaf == Leaf::ended;
        if (!net_ && !known && plies == 0) throw std::logic_error("a line goes on beyond the plies");
        if (!cube_ || (!net_ && !known)) continue;
        for (int tokens = 0; tokens < states_; ++tokens) {
            out[i].stake_value[tokens] = cube_->value(ending(here, i, tokens));
        }
    }
}

// Searches further, stage by stage, the candidates that the stage before finds best for some token state. Without a net
// there is no stage before, so none is left out.
void Search::deepen(int plies, std::vector<Candidate>& all) {
    std::vector<std::uint32_t> order;
    for (int stage = net_ ? 1 : plies; stage <= plies; ++stage) {
        if (stage == 0) return;
        order.clear();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].deep) order.push_back(static_cast<std::uint32_t>(i));
        }
        if (net_) {
            for (std::uint32_t i : order) all[i].deep = false;
            for (int tokens = 0; tokens < states_; ++tokens) {
                for_best(order, kFilters[stage], [&](std::uint32_t i) { return merit(all[i], tokens); },
                         [&](std::uint32_t i) { all[i].deep = true; });
            }
        }
        std::erase_if(order, [&](std::uint32_t i) { return !all[i].deep || all[i].final; });
        each(order.size(), stage >= kSharedPlies, [&](Search& search, std::size_t k) {
            Candidate& candidate = all[order[k]];
            PlaceValuesByTokens place_values = {};
            search.child(candidate.again ? candidate.result : candidate.result.flip(), candidate.again, stage, candidate.values, place_values);
            candidate.plies = stage;
            for (int tokens = 0; cube_ && tokens < states_; ++tokens) candidate.stake_value[tokens] = cube_->value(place_values[tokens]);
        });
    }
}

void Search::candidates(const Position& position, int row, int plies, std::vector<Candidate>& out) {
    expand(position, row, plies, out);
    deepen(plies, out);
    for (Candidate& candidate : out) {
        if (candidate.deep) candidate.plies = plies;  // exact values too
    }
}

void Search::best(const Position& position, int row, int plies, Best& out) {
    if (plies == 0) {
        evaluate_replies(position, Range::one(row), true, level(0));
        return pick(level(0), 0, 0, out);
    }
    std::vector<Candidate>& all = level(plies).candidates;
    candidates(position, row, plies, all);
    for (int tokens = 0; tokens < states_; ++tokens) {
        const Candidate* found = nullptr;
        for (const Candidate& candidate : all) {
            if (!candidate.deep) continue;
            const float equity = equity_of(tokens, candidate.values[tokens]);
            if (found && equity <= out.equity[tokens]) continue;
            found = &candidate;
            out.equity[tokens] = equity;
        }
        out.index[tokens] = found->index;
        out.ended[tokens] = found->ended;
        out.values[tokens] = found->values[tokens];
    }
}

}  // namespace barpoint
