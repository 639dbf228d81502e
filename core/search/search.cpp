#include "search/search.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace barpoint {
namespace {

// Plays that a deeper look can still change, by the plies it looks; judged by the look before it.
constexpr Filter kFilters[] = {{0, 0}, {8, 0.16f}, {5, 0.06f}, {3, 0.05f}, {2, 0.04f}};

constexpr std::size_t kChunk = 64;  // positions by the net alone, a microsecond each, that are one piece of work
constexpr std::size_t kMaxKnown = 4096;  // values kept of positions looked at deeper than the net alone
constexpr double kTie = 1e-4;  // the part of cubeless worth that orders plays after which the other side cashes
constexpr int kSpreadPlies = 2;  // less is done sooner than a thread begins

void check(const Rules& rules, const Net& net, int heads) {
    if (static_cast<int>(net.shape().heads) != heads) {
        throw std::invalid_argument("the net has " + std::to_string(net.shape().heads) + " marker states, the rules " +
                                    std::to_string(heads));
    }
    if ((net.shape().per_checker != 0) != rules.per_checker) {
        throw std::invalid_argument("the net's figures are not those of the rules' scoring");
    }
}

}  // namespace

Search::Search(const Rules& rules, const Net* net, std::shared_ptr<const Tables> tables, const Net* pruner)
    : rules_(rules), net_(net), tables_(std::move(tables)), pruner_(pruner), payout_(rules),
      heads_(rules.rerolls.tokens > 0 ? 4 : 1) {
    if (net) check(rules, *net, heads_);
    if (pruner) check(rules, *pruner, heads_);
}

Search::Level& Search::level(int plies) {
    while (static_cast<int>(levels_.size()) <= plies) levels_.push_back(std::make_unique<Level>());
    return *levels_[plies];
}

void Search::forget() {
    known_.clear();
    for (const std::unique_ptr<Level>& level : levels_) {
        level->fan.forget();
        level->small_fan.forget();
    }
}

void Search::share(int threads) {
    helpers_.clear();
    for (int i = 1; i < threads; ++i) {
        helpers_.push_back(std::make_unique<Search>(rules_, net_, tables_, pruner_));
        helpers_.back()->most_ = most_;
        helpers_.back()->inside_ = inside_;
        helpers_.back()->plays_ = plays_;
    }
}

// Calls work(search, i) for every i < count, each thread with a search of its own.
template <class Work>
void Search::spread(std::size_t count, Work&& work) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failing;
    const auto run = [&](Search& search) {
        try {
            for (std::size_t i; (i = next++) < count;) work(search, i);
        } catch (...) {
            const std::lock_guard lock(failing);
            failure = std::current_exception();
        }
    };
    for (const std::unique_ptr<Search>& helper : helpers_) {
        helper->known_.clear();
        helper->scales_ = scales_;
        helper->cube_ = cube_;
        helper->side_ = side_;
    }
    spreading_ = true;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < std::min(helpers_.size(), count ? count - 1 : 0); ++i) {
        threads.emplace_back([&run, helper = helpers_[i].get()] { run(*helper); });
    }
    run(*this);
    for (std::thread& thread : threads) thread.join();
    spreading_ = false;
    if (failure) std::rethrow_exception(failure);
}

void Search::evaluate_all(const Position* positions, std::size_t count, int plies, Values* out) {
    const std::size_t chunk = plies == 0 ? kChunk : 1;
    const auto work = [&](Search& search, std::size_t part) {
        const std::size_t first = part * chunk;
        if (plies > 0) return search.evaluate(positions[first], plies, out[first]);
        search.leaves(positions + first, std::min(chunk, count - first), out + first);
    };
    const std::size_t parts = (count + chunk - 1) / chunk;
    if (!helpers_.empty() && parts > 1) return spread(parts, work);
    for (std::size_t part = 0; part < parts; ++part) work(*this, part);
}

// By tables, or by the net alone; of kChunk at most.
void Search::leaves(const Position* positions, std::size_t count, Values* out) {
    Level& here = level(0);
    here.order.clear();
    here.nexts.clear();
    here.seen.resize(count);
    Leaf found[kChunk];
    for (std::size_t i = 0; i < count; ++i) {
        found[i] = look(positions[i], out[i]);
        if (found[i] != Leaf::open && found[i] != Leaf::partly) continue;
        if (!net_) throw std::logic_error("a line goes on beyond the plies");
        here.order.push_back(static_cast<std::uint32_t>(i));
        here.nexts.push_back(positions[i]);
    }
    if (here.nexts.empty()) return;
    net_->evaluate(here.nexts.data(), here.nexts.size(), here.seen.data());
    for (std::size_t k = 0; k < here.order.size(); ++k) {
        const std::uint32_t i = here.order[k];
        const Figures plain = out[i][0];
        out[i] = here.seen[k];
        if (found[i] == Leaf::partly) out[i][0] = plain;
    }
}

// placed is left alone without a cube.
void Search::child(const Position& next, bool again, int plies, Values& out, PlacedHeads& placed) {
    const std::size_t mover = side_;
    if (!again) side_ = 1 - side_;
    Found seen;
    if (const auto found = known_.find({next, plies, side_}); found != known_.end()) {
        seen = found->second;
    } else {
        if (cube_) {
            evaluate(next, plies, seen.values, seen.placed);
        } else {
            evaluate(next, plies, seen.values);
        }
        if (known_.size() >= kMaxKnown) known_.clear();
        known_[{next, plies, side_}] = seen;
    }
    const auto side = static_cast<int>(side_);
    side_ = mover;
    see_as_mover(seen.values, again, out);
    for (int head = 0; cube_ && head < heads_; ++head) {
        placed[head] = seen.placed[again ? head : other_head(head)];
        if (again) continue;
        cube_->turn(side, placed[head]);
        cube_->flip(placed[head]);
    }
}

// What a position after a play is worth with the cube where it is not looked at further, for the mover as his figures.
Placed Search::ending(const Position& next, bool again, Leaf leaf, int head, const Figures& figures) const {
    Placed out = {};
    const auto side = static_cast<int>(again ? side_ : 1 - side_);
    const Figures seen = again ? figures : payout_.flip(figures);
    std::optional<CubeRace> race;
    if (leaf == Leaf::exact && cube_->money()) {
        race = tables_->cube(next, again ? head : other_head(head), cube_->stakes().jacoby, again);
    }
    if (leaf == Leaf::ended) {
        cube_->ended(side, seen, out);
    } else if (race) {
        cube_->exact(*race, again, out);
    } else {
        cube_->leaf(side, next, seen, out);
        if (!again) cube_->turn(side, out);
    }
    if (!again) cube_->flip(out);
    return out;
}

// Nothing more is to be learned by looking further: tables have the cube for money alone.
bool Search::final(Leaf leaf) const { return leaf == Leaf::ended || (leaf == Leaf::exact && (!cube_ || cube_->money())); }

// By what plays are cut at the root.
double Search::merit(const Candidate& candidate, int head) const {
    const double plain = worth(candidate.values[head]);
    return cube_ ? cube_->normal(candidate.worth[head]) + kTie * plain : plain;
}

Candidate Search::candidate(const Level& here, std::size_t i) const {
    const Reply& reply = here.replies[i];
    return {reply.index, reply.again ? here.nexts[i] : here.nexts[i].flip(), reply.again, reply.leaf == Leaf::ended,
            final(reply.leaf), reply.wanted, reply.values};
}

void Search::expand(const Position& position, int row, int plies, std::vector<Candidate>& out) {
    Level& here = level(plies);
    look_at_replies(position, Range::one(row), false, here);
    out.clear();
    for (std::size_t i = 0; i < here.replies.size(); ++i) {
        const Reply& reply = here.replies[i];
        out.push_back(candidate(here, i));
        const bool known = reply.leaf == Leaf::exact || reply.leaf == Leaf::ended;
        if (!net_ && !known && plies == 0) throw std::logic_error("a line goes on beyond the plies");
        if (!cube_ || (!net_ && !known)) continue;
        for (int head = 0; head < heads_; ++head) {
            const Placed placed = ending(here.nexts[i], reply.again, reply.leaf, head, reply.values[head]);
            out[i].worth[head] = cube_->worth(placed);
        }
    }
}

// Looks further, stage by stage, at the candidates that the stage before finds best for some head. Without a net nothing
// is known yet, so none is left out.
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
            for (int head = 0; head < heads_; ++head) {
                for_best(order, kFilters[stage], [&](std::uint32_t i) { return merit(all[i], head); },
                         [&](std::uint32_t i) { all[i].deep = true; });
            }
        }
        std::erase_if(order, [&](std::uint32_t i) { return !all[i].deep || all[i].final; });
        const auto look_further = [&](Search& search, std::size_t k) {
            Candidate& candidate = all[order[k]];
            PlacedHeads placed = {};
            search.child(candidate.again ? candidate.result : candidate.result.flip(), candidate.again, stage, candidate.values, placed);
            for (int head = 0; cube_ && head < heads_; ++head) candidate.worth[head] = cube_->worth(placed[head]);
        };
        if (stage >= kSpreadPlies && order.size() > 1 && !helpers_.empty() && !spreading_) {
            spread(order.size(), look_further);
        } else {
            for (std::size_t k = 0; k < order.size(); ++k) look_further(*this, k);
        }
    }
}

void Search::candidates(const Position& position, int row, int plies, std::vector<Candidate>& out) {
    expand(position, row, plies, out);
    deepen(plies, out);
}

void Search::best(const Position& position, int row, int plies, Best& out) {
    if (plies == 0) {
        look_at_replies(position, Range::one(row), true, level(0));
        return pick(level(0), 0, 0, out);
    }
    std::vector<Candidate>& all = level(plies).candidates;
    candidates(position, row, plies, all);
    for (int head = 0; head < heads_; ++head) {
        const Candidate* found = nullptr;
        for (const Candidate& candidate : all) {
            if (!candidate.deep) continue;
            const float equity = worth(candidate.values[head]);
            if (found && equity <= out.equity[head]) continue;
            found = &candidate;
            out.equity[head] = equity;
        }
        out.index[head] = found->index;
        out.ended[head] = found->ended;
        out.values[head] = found->values[head];
    }
}

void Search::best_of_rows(const Position& position, std::vector<Best>& out) { look_at_rows(position, 1, out); }

// The best play of one of the rolls as the net alone sees it, and what `plies` make of the position after it. They may
// have been looked at by another search.
void Search::pick(Level& here, std::size_t number, int plies, Best& out) {
    const auto [begin, end] = here.replies_to(number);
    for (std::size_t i = begin; i < end && !net_; ++i) {
        Reply& reply = here.replies[i];
        if (reply.leaf == Leaf::exact || reply.leaf == Leaf::ended) continue;
        if (plies == 0) throw std::logic_error("a line goes on beyond the plies");
        PlacedHeads placed = {};
        child(here.nexts[i], reply.again, plies, reply.values, placed);
    }
    std::array<std::size_t, kMaxHeads> found = {};
    for (int head = 0; head < heads_; ++head) {
        found[head] = end;
        for (std::size_t i = begin; i < end; ++i) {
            const Reply& reply = here.replies[i];
            if (!reply.wanted) continue;
            const float equity = worth(reply.values[head]);
            if (found[head] < end && equity <= out.equity[head]) continue;
            found[head] = i;
            out.equity[head] = equity;
        }
        const Reply& reply = here.replies[found[head]];
        out.index[head] = reply.index;
        out.ended[head] = reply.leaf == Leaf::ended;
        out.values[head] = reply.values[head];
    }
    level(plies).chosen.clear();
    for (int head = 0; head < heads_; ++head) {
        if (plies > 0 && net_ && !final(here.replies[found[head]].leaf)) {
            out.values[head] = look_further(here, found[head], plies).values[head];
            out.equity[head] = worth(out.values[head]);
        }
        if (cube_) place(here, number, found[head], head, plies, out.placed[head]);
    }
}

// What the roll is worth for every place of the cube: for each rung with the reply that is best there. `first` is the
// one of the present cube.
void Search::place(const Level& here, std::size_t number, std::size_t first, int head, int plies, Placed& out) {
    std::size_t before = here.replies.size();
    Placed placed = {};
    for (int rung = 0; rung < cube_->rungs(); ++rung) {
        const std::size_t i = rung == 0 ? first : reply_for(here, number, head, rung);
        if (i != before) {
            const Reply& reply = here.replies[i];
            placed = plies == 0 || final(reply.leaf) ? ending(here.nexts[i], reply.again, reply.leaf, head, reply.values[head])
                                                     : look_further(here, i, plies).placed[head];
            before = i;
        }
        cube_->take_over(rung, placed, out);
    }
}

// The best reply to one of the rolls by the figures if the cube stays at a rung.
std::size_t Search::reply_for(const Level& here, std::size_t number, int head, int rung) const {
    const auto [begin, end] = here.replies_to(number);
    std::size_t found = end;
    float most = 0;
    for (std::size_t i = begin; i < end; ++i) {
        if (!here.replies[i].wanted) continue;
        const float merit = cube_->merit(static_cast<int>(side_), rung, here.replies[i].values[head]);
        if (found < end && merit <= most) continue;
        found = i;
        most = merit;
    }
    return found;
}

// Each reply once, whichever heads and rungs want it.
const Search::Found& Search::look_further(const Level& here, std::size_t reply, int plies) {
    std::vector<Chosen>& all = level(plies).chosen;
    for (const Chosen& chosen : all) {
        if (chosen.reply == reply) return chosen.found;
    }
    Found found;
    child(here.nexts[reply], here.replies[reply].again, plies, found.values, found.placed);
    all.push_back({reply, found});
    return all.back().found;
}

Fate Search::settle(int head, const Best& best, const Values& again, Figures& out) const {
    Fate fate = Fate::stands;
    out = best.values[head];
    float equity = best.equity[head];
    const bool annullable = !best.ended[head] || rules_.rerolls.final_roll_cancellable;
    if ((head & 2) && rules_.rerolls.other && annullable) {
        const float called = worth(again[head & ~2]);
        if (called < equity) {
            fate = Fate::other_call;
            equity = called;
            out = again[head & ~2];
        }
    }
    if ((head & 1) && rules_.rerolls.own) {
        const float called = worth(again[head & ~1]);
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
            for (int i = 0; i < kMaxFigures; ++i) sum[i] += weight * figures[i];
        }
        for (float& value : sum) value /= static_cast<float>(rules_.total_weight);
        out[head] = sum;
    }
}

// For every place of the cube the sides decide about markers by what it is worth there.
void Search::average(const std::vector<Best>& rows, PlacedHeads& rolling) const {
    const int places = cube_->places();
    for (int head = 0; head < heads_; ++head) {
        const bool other_calls = (head & 2) && rules_.rerolls.other, own_calls = (head & 1) && rules_.rerolls.own;
        Placed by_other = {}, sum = {};
        if (other_calls) by_other = rolling[head & ~2];
        if (other_calls && rules_.rerolls.double_after_cancel) cube_->turn(static_cast<int>(side_), by_other);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const bool annullable = other_calls && (!rows[row].ended[head] || rules_.rerolls.final_roll_cancellable);
            for (int place = 0; place < places; ++place) {
                double value = rows[row].placed[head][place];
                if (annullable) value = std::min(value, by_other[place]);
                if (own_calls) value = std::max(value, rolling[head & ~1][place]);
                sum[place] += rules_.rows[row].weight * value;
            }
        }
        for (double& value : sum) value /= rules_.total_weight;
        rolling[head] = sum;
    }
}

void Search::evaluate(const Position& position, int plies, Values& out) {
    if (plies == 0) return leaves(&position, 1, &out);
    const Leaf found = look(position, out);
    if (found == Leaf::exact || found == Leaf::ended) return;
    std::vector<Best>& rows = level(plies - 1).rows;
    look_at_rows(position, plies, rows);
    average(rows, out);
}

void Search::evaluate(const Position& position, int plies, Values& out, PlacedHeads& rolling) {
    rolling = {};
    const Leaf found = look(position, out);
    if (plies > 0 && !final(found)) {
        const Values known = out;
        std::vector<Best>& rows = level(plies - 1).rows;
        look_at_rows(position, plies, rows);
        average(rows, out);
        average(rows, rolling);
        if (found == Leaf::exact) out = known;
        return;
    }
    if (found != Leaf::exact && found != Leaf::ended) leaves(&position, 1, &out);
    for (int head = 0; head < heads_; ++head) rolling[head] = ending(position, true, found, head, out[head]);
}

// The best play of every roll, looked at so that they make as many plies in all.
void Search::look_at_rows(const Position& position, int plies, std::vector<Best>& rows) {
    rows.resize(rules_.rows.size());
    Level& here = level(plies - 1);
    look_at_replies(position, {0, rows.size()}, true, here);
    const auto look_at_row = [&](Search& search, std::size_t row) { search.pick(here, row, plies - 1, rows[row]); };
    if (plies >= kSpreadPlies && !helpers_.empty() && !spreading_) {
        spread(rows.size(), look_at_row);
    } else {
        for (std::size_t row = 0; row < rows.size(); ++row) look_at_row(*this, row);
    }
}

}  // namespace barpoint
