// The part of a search that evaluates the replies to rolls: by tables, by the pruning net, by the net.
#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "search/search.hpp"

namespace barpoint {
namespace {

// At the root every play is evaluated; the pruning net cuts only rolls with more than kMany plays. Only Acey-Deucey's 2-1 has so
// many. Millipoints lost in a game that pays by the checker: 5 +- 3; 16 within 0.60 10 +- 5, 64 within 0.30 29 +- 11, 256 within
// 2.40 none (benchmarks/results.md, cuts).
constexpr Filter kManyPlays = {64, 0.60f};
constexpr std::size_t kMany = 400;
// Replies that the pruning net adds at a score, for the cube once it is turned: benchmarks/results.md, "Tried and reverted".
constexpr std::size_t kForNextCube = 2;

}  // namespace

// What the rules and tables know of a position.
Search::Leaf Search::look(const Position& next, Values& out) const {
    const Outcome end = outcome(rules_, next);
    if (end.over) {
        out.fill(payout_.ended(end));
        return Leaf::ended;
    }
    const Known known = tables_ ? tables_->ask(next, out) : Known::nothing;
    if (known == Known::nothing) return Leaf::open;
    if (rules_.rerolls.tokens == 0) out.fill(out[0]);  // tables know one value for every cube
    return known == Known::exact ? Leaf::exact : rules_.rerolls.tokens == 0 ? Leaf::known : Leaf::partly;
}

void Search::see_as_mover(const Values& seen, bool again, Values& out) const {
    for (int state = 0; state < values_used(); ++state) {
        out[state] = again ? seen[state] : payout_.flip(seen[states_ > 1 ? flip_tokens(state) : state]);
    }
}

// Values of some replies for the mover, by the net or the pruning net, whichever the accumulator has.
void Search::estimate(Level& here, const Order& order, Accumulator& accumulator, bool pruning) const {
    here.seen.resize(order.size());
    accumulator.evaluate(here.nexts.data(), order, here.seen.data(), pruning ? nullptr : layer_[1 - side_].get());
    if (pruning && pruning_net_->shape().states == 1 && values_used() > 1) {  // one for all gammon states or rungs
        for (Values& seen : here.seen) seen.fill(seen[0]);
    }
    for (std::size_t k = 0; k < order.size(); ++k) {
        Reply& reply = here.replies[order[k]];
        const Probabilities plain = reply.values[0];
        see_as_mover(here.seen[k], reply.again, reply.values);
        if (reply.leaf == Leaf::partly) reply.values[0] = plain;
    }
}

// The same by the net, of all replies in here.order; a position that several rolls lead to is evaluated once.
void Search::estimate_once(Level& here) const {
    here.fresh.clear();
    here.twins.clear();
    here.slots.assign(std::bit_ceil(2 * here.order.size()), 0);
    const std::size_t mask = here.slots.size() - 1;
    for (std::uint32_t i : here.order) {
        std::size_t slot = hash(here.nexts[i]) & mask;
        const auto same = [&](std::uint32_t other) {
            return here.nexts[other] == here.nexts[i] && here.replies[other].again == here.replies[i].again;
        };
        while (here.slots[slot] && !same(here.slots[slot] - 1)) slot = (slot + 1) & mask;
        if (here.slots[slot]) {
            here.twins.push_back({i, here.slots[slot] - 1});
        } else {
            here.slots[slot] = i + 1;
            here.fresh.push_back(i);
        }
    }
    estimate(here, here.fresh, here.accumulator, false);
    for (const auto& [twin, first] : here.twins) here.replies[twin].values = here.replies[first].values;
}

// Adds the plays of one more roll, with what tables know of them.
void Search::list_replies(const Position& position, int row, Level& here) const {
    generate(rules_, position, row, here.buffer);
    const std::size_t all = here.buffer.size(), count = most_ ? std::min(all, most_) : all, before = here.replies.size();
    here.replies.resize(before + count);
    here.nexts.resize(before + count);
    for (std::size_t i = 0; i < count; ++i) {
        Reply& reply = here.replies[before + i];
        const std::size_t index = i * all / count;
        Values seen;
        here.nexts[before + i] = here.buffer.next(index);
        reply.index = static_cast<int>(index);
        reply.again = here.buffer.again(index);
        reply.leaf = look(here.nexts[before + i], seen);
        reply.wanted = true;
        if (reply.leaf != Leaf::open) see_as_mover(seen, reply.again, reply.values);
        if (reply.leaf == Leaf::open || reply.leaf == Leaf::partly) here.order.push_back(static_cast<std::uint32_t>(before + i));
    }
    here.ends.push_back(before + count);
}

// Plays of the rolls with their values: by tables, or by the net where the pruning net lets them through. Inside the tree
// few pass, at the root all unless there are very many.
void Search::evaluate_replies(const Position& position, const Range& rows, bool inside, Level& here) {
    here.position = position;
    here.replies.clear();
    here.nexts.clear();
    here.order.clear();
    here.ends.clear();
    here.cube_sums.replies.clear();
    for (std::size_t row = rows.begin; row < rows.end; ++row) list_replies(position, static_cast<int>(row), here);
    if (!net_ || here.order.empty()) return;
    const Position base = position.flip();
    const bool every = !inside && plays_.most == 0;
    const Filter& filter = inside ? inside_ : every ? kManyPlays : plays_;
    if (pruning_net_) prune(base, filter, every ? kMany : filter.most, here);
    here.accumulator.open(*net_, base);
    estimate_once(here);
}

// Keeps in here.order, and marks as wanted, only replies that are good for some token state; all of a roll with few plays.
void Search::prune(const Position& base, const Filter& filter, std::size_t few, Level& here) {
    here.many.clear();
    each_roll(here, here.order, [&](std::span<std::uint32_t> order) {
        if (order.size() > few) here.many.insert(here.many.end(), order.begin(), order.end());
    });
    if (here.many.empty()) return;
    here.pruning_accumulator.open(*pruning_net_, base);
    estimate(here, here.many, here.pruning_accumulator, true);
    for (std::uint32_t i : here.many) here.replies[i].wanted = false;
    here.merits.resize(here.replies.size());
    each_roll(here, here.many, [&](std::span<std::uint32_t> order) { mark_wanted(order, filter, here); });
    std::erase_if(here.order, [&](std::uint32_t i) { return !here.replies[i].wanted; });
}

// Calls work(replies) for each roll that has replies in the order.
template <class Work>
void Search::each_roll(const Level& here, Order& order, Work&& work) {
    std::size_t first = 0;
    for (std::size_t end : here.ends) {
        std::size_t next = first;
        while (next < order.size() && order[next] < end) ++next;
        if (next > first) work(std::span(order).subspan(first, next - first));
        first = next;
    }
}

// Marks the replies of one roll that are good for some token state, by the pruning net.
void Search::mark_wanted(std::span<std::uint32_t> order, const Filter& filter, Level& here) {
    for (int tokens = 0; tokens < states_; ++tokens) {
        const auto mark = [&](const Filter& by, auto&& merit) {
            for (std::uint32_t i : order) here.merits[i] = static_cast<float>(merit(here.replies[i].values[tokens]));
            for_best(order, by, [&](std::uint32_t i) { return here.merits[i]; }, [&](std::uint32_t i) { here.replies[i].wanted = true; });
        };
        mark(filter, [&](const Probabilities& probabilities) { return equity_of(tokens, probabilities); });
        if (!cube_ || cube_->rungs() == 1) continue;
        mark({kForNextCube, filter.margin}, [&](const Probabilities& probabilities) { return cube_->merit(static_cast<int>(side_), 1, probabilities); });
    }
}

bool Search::more_of_row(const Position& position, int row, int tokens, const Filter& filter, std::vector<Candidate>& out) {
    Level& here = level(0);
    const auto number = static_cast<std::size_t>(row);
    if (here.ends.size() != rules_.rows.size() || here.position != position || !net_) return false;
    const auto [begin, end] = here.replies_to(number);
    if (end - begin == most_) return false;
    constexpr float kAny = std::numeric_limits<float>::infinity();
    float best = -kAny;
    std::size_t looked_at = 0;
    here.order.clear();
    here.merits.resize(here.replies.size());
    for (std::size_t i = begin; i < end; ++i) {
        here.merits[i] = equity_of(tokens, here.replies[i].values[tokens]);  // by the pruning net for those that are not wanted
        if (!here.replies[i].wanted) {
            here.order.push_back(static_cast<std::uint32_t>(i));
            continue;
        }
        best = std::max(best, here.merits[i]);
        ++looked_at;
    }
    std::erase_if(here.order, [&](std::uint32_t i) { return here.merits[i] < best - filter.margin; });
    const std::size_t most = filter.of(end - begin);
    for_best(here.order, {most - std::min(most, looked_at), kAny}, [&](std::uint32_t i) { return here.merits[i]; },
             [&](std::uint32_t i) { here.replies[i].wanted = true; });
    std::erase_if(here.order, [&](std::uint32_t i) { return !here.replies[i].wanted; });
    estimate(here, here.order, here.accumulator, false);
    out.clear();
    for (std::size_t i = begin; i < end; ++i) out.push_back(candidate(here, i));
    return true;
}

}  // namespace barpoint
