#include "search/search.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "nets/inputs.hpp"
#include "rules/dice.hpp"
#include "threads.hpp"

namespace barpoint {
namespace {

// Positions that one thread takes at a time for the net alone. Results do not depend on it, nor does the time much: the net takes
// kBatchPositions together, and a thread is busy with 64 for some 50 microseconds.
constexpr std::size_t kChunk = 64;
constexpr std::size_t kMaxLayers = 64;  // output layers kept, of 10 kB for each price of gammons: those of a match, and of a few more
constexpr std::size_t kMaxKnown = 4096;  // values kept within a search; the gain: benchmarks/results.md, "Tried and reverted"

void check(const Rules& rules, const Net& net, bool pruning) {
    const std::uint32_t wanted = inputs_for(rules);
    if (!net.version().plain() && !net.version().fits(*find_inputs(wanted))) {
        throw std::invalid_argument("the net has inputs of version " + std::to_string(net.shape().inputs) + ", the rules need version " + std::to_string(wanted));
    }
    const std::uint32_t found = net.shape().by_gammons() ? 1 : net.shape().states, needed = rules.rerolls.tokens > 0 ? 4 : 1;
    if (found != needed) {
        throw std::invalid_argument("the net has " + std::to_string(found) + " token states, the rules " + std::to_string(needed));
    }
    // Which side's probabilities a roll asks for depends on nobody rolling again; a pruning net sees by one state alone.
    const bool followed = std::any_of(rules.rows.begin(), rules.rows.end(), [](const Row& row) { return row.followed(); });
    if (net.shape().by_gammons() && (pruning || followed)) {
        throw std::invalid_argument(pruning ? "a pruning net has no gammon states" : "a net with gammon states plays no rolls that are followed by another");
    }
    if (net.shape().per_checker() != rules.per_checker) {
        throw std::invalid_argument("the net's probabilities are not those of the rules' scoring");
    }
}

}  // namespace

Search::Search(const Rules& rules, const Net* net, std::shared_ptr<const Tables> tables, const Net* pruning_net)
    : rules_(rules), net_(net), tables_(std::move(tables)), pruning_net_(pruning_net), payout_(rules),
      states_(rules.rerolls.tokens > 0 ? 4 : 1) {
    if (net) check(rules, *net, false);
    if (pruning_net) check(rules, *pruning_net, true);
    value_by(std::nullopt);
}

void Search::value_by(const std::optional<Scales>& scales, const std::optional<CubeTree>& cube,
                      const std::optional<std::array<RungPrices, 2>>& prices) {
    scales_ = scales;
    cube_ = cube;
    side_ = 0;
    known_.clear();
    rungs_ = 1;
    if (!net_knows_gammons()) return;
    if (by_gammons_) states_ = 1;
    by_gammons_ = false;
    if (layers_.size() >= kMaxLayers) layers_.clear();
    std::array<RungPrices, 2> of;
    for (int side = 0; side < 2; ++side) {
        if (cube) {
            of[side] = cube->ladder().prices(side);
        } else if (prices) {
            of[side] = (*prices)[side];
        } else if (scales) {
            of[side].of[0] = GammonPrices::of((*scales)[side]);
        }
        std::shared_ptr<const OutputLayer>& layer = layers_[{of[side].of.begin(), of[side].of.begin() + of[side].count}];
        if (!layer) layer = std::make_shared<OutputLayer>(net_->output_layer({of[side].of.data(), of[side].count}));
        layer_[side] = layer;
    }
    rungs_ = of[0].count;
}

void Search::value_by_gammons() {
    if (!net_knows_gammons()) throw std::logic_error("this net does not know whose gammons count");
    value_by(std::nullopt);
    by_gammons_ = true;
    states_ = 4;
    layer_ = {};
}

Search::Level& Search::level(int plies) {
    while (static_cast<int>(levels_.size()) <= plies) levels_.push_back(std::make_unique<Level>());
    return *levels_[plies];
}

void Search::forget() {
    known_.clear();
    layers_.clear();
    if (!by_gammons_) value_by(scales_, cube_);
    for (const std::unique_ptr<Level>& level : levels_) {
        level->accumulator.forget();
        level->pruning_accumulator.forget();
    }
}

void Search::watch(std::function<void()> look) {
    for (const std::unique_ptr<Search>& helper : helpers_) helper->watch_ = look;
    watch_ = std::move(look);
}

void Search::share(int threads) {
    helpers_.clear();
    for (int i = 1; i < threads; ++i) {
        helpers_.push_back(std::make_unique<Search>(rules_, net_, tables_, pruning_net_));
        helpers_.back()->most_ = most_;
        helpers_.back()->inside_ = inside_;
        helpers_.back()->plays_ = plays_;
        helpers_.back()->watch_ = watch_;
    }
}

void Search::each(std::size_t count, bool shared, const std::function<void(Search&, std::size_t)>& work) {
    const auto watched = [&](Search& search, std::size_t i) {
        if (search.watch_) search.watch_();
        work(search, i);
    };
    if (!shared || count < 2 || helpers_.empty() || spreading_) {
        for (std::size_t i = 0; i < count; ++i) watched(*this, i);
        return;
    }
    std::atomic<std::size_t> next{0};
    for (const std::unique_ptr<Search>& helper : helpers_) {
        helper->known_.clear();
        helper->scales_ = scales_;
        helper->cube_ = cube_;
        helper->side_ = side_;
        helper->states_ = states_;
        helper->by_gammons_ = by_gammons_;
        helper->rungs_ = rungs_;
        helper->layer_ = layer_;
    }
    struct Spreading {
        bool& now;
        ~Spreading() { now = false; }
    } spreading{spreading_};
    spreading.now = true;
    in_threads(std::min(helpers_.size() + 1, count), [&](std::size_t number) {
        Search& search = number ? *helpers_[number - 1] : *this;
        for (std::size_t i; (i = next++) < count;) watched(search, i);
    });
}

void Search::evaluate_all(const Position* positions, std::size_t count, int plies, Values* out) {
    const std::size_t chunk = plies == 0 ? kChunk : 1;
    const auto work = [&](Search& search, std::size_t part) {
        const std::size_t first = part * chunk;
        if (plies > 0) return search.evaluate(positions[first], plies, out[first]);
        search.leaves(positions + first, std::min(chunk, count - first), out + first);
    };
    each((count + chunk - 1) / chunk, true, work);
}

// Values by tables or by the net alone; at most kChunk positions.
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
    net_->evaluate(here.nexts.data(), here.nexts.size(), here.seen.data(), layer_[side_].get());
    for (std::size_t k = 0; k < here.order.size(); ++k) {
        const std::uint32_t i = here.order[k];
        const Probabilities plain = out[i][0];
        out[i] = here.seen[k];
        if (found[i] == Leaf::partly) out[i][0] = plain;
    }
}

// Values of a position after a play, for the mover. place_values is untouched without a cube.
void Search::child(const Position& next, bool again, int plies, Values& out, PlaceValuesByTokens& place_values) {
    const std::size_t mover = side_;
    if (!again) side_ = 1 - side_;
    Found seen;
    if (const auto found = known_.find({next, plies, side_}); found != known_.end()) {
        seen = found->second;
    } else {
        if (cube_) {
            evaluate(next, plies, seen.values, seen.place_values);
        } else {
            evaluate(next, plies, seen.values);
        }
        if (known_.size() >= kMaxKnown) known_.clear();
        known_[{next, plies, side_}] = seen;
    }
    const auto side = static_cast<int>(side_);
    side_ = mover;
    see_as_mover(seen.values, again, out);
    for (int tokens = 0; cube_ && tokens < states_; ++tokens) {
        place_values[tokens] = seen.place_values[again ? tokens : flip_tokens(tokens)];
        if (again) continue;
        cube_->turn(side, place_values[tokens]);
        cube_->flip(place_values[tokens]);
    }
}

// Values by place of the cube after a play that is not searched further, for the mover; so are the probabilities.
PlaceValues Search::ending(const Position& next, bool again, Leaf leaf, int tokens, const Values& values, const CubeNet::Sums* sums) const {
    const RungProbabilities probabilities = by_rung(values, tokens);
    std::optional<CubeRace> race;
    if (leaf == Leaf::exact && cube_->money()) {
        race = tables_->cube(next, again ? tokens : flip_tokens(tokens), cube_->stakes().jacoby, again);
    }
    if (leaf != Leaf::ended && !race) return cube_->after(static_cast<int>(side_), again, next, probabilities, sums);
    PlaceValues out = {};
    if (race) {
        cube_->exact(*race, again, out);
    } else {
        cube_->ended(static_cast<int>(again ? side_ : 1 - side_), (again ? probabilities : probabilities.flip(payout_)).at(0), out);
    }
    if (!again) cube_->flip(out);
    return out;
}

PlaceValues Search::ending(const Level& here, std::size_t i, int tokens) const {
    const Reply& reply = here.replies[i];
    return ending(here.nexts[i], reply.again, reply.leaf, tokens, reply.values, here.cube_sums.of(i));
}

// The first layer of the cube net for the positions after here.cube_sums.replies, which must ascend; those that are final are dropped.
void Search::ask_cube_net(Level& here) const {
    auto& [replies, positions, sums] = here.cube_sums;
    std::erase_if(replies, [&](std::uint32_t i) { return final(here.replies[i].leaf); });
    positions.clear();
    for (std::uint32_t i : replies) positions.push_back(here.nexts[i]);
    sums.resize(positions.size());
    cube_->net()->sums(positions.data(), positions.size(), sums.data());
}

// Whether searching further is pointless: tables know the cube for money alone.
bool Search::final(Leaf leaf) const { return leaf == Leaf::ended || (leaf == Leaf::exact && (!cube_ || cube_->money())); }

void Search::best_of_all(const Position& position, int row, Best& out) {
    evaluate_replies(position, Range::one(row), false, level(0));
    pick(level(0), 0, 0, out);
}

void Search::best_of_rows(const Position& position, std::vector<Best>& out) { evaluate_rows(position, 1, out); }

// The best play of one of the rolls by the net alone, with the values that a search of `plies` gives the position after it.
// The replies may have been listed by another search.
void Search::pick(Level& here, std::size_t number, int plies, Best& out) {
    Selected found = {};
    select(here, number, plies, found, out);
    search_selected(here, number, plies, found, out);
}

// pick() for every roll by the net alone.
void Search::pick_all(Level& here, std::vector<Best>& rows) {
    Order& asked = here.cube_sums.replies;
    here.selected.resize(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        Selected& found = here.selected[row];
        select(here, row, 0, found, rows[row]);
        for (int state = 0; state < choices(); ++state) asked.push_back(static_cast<std::uint32_t>(found[state]));
    }
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    ask_cube_net(here);
    for (std::size_t row = 0; row < rows.size(); ++row) search_selected(here, row, 0, here.selected[row], rows[row]);
}

void Search::select(Level& here, std::size_t number, int plies, Selected& found, Best& out) {
    const auto [begin, end] = here.replies_to(number);
    for (std::size_t i = begin; i < end && !net_; ++i) {
        Reply& reply = here.replies[i];
        if (reply.leaf == Leaf::exact || reply.leaf == Leaf::ended) continue;
        if (plies == 0) throw std::logic_error("a line goes on beyond the plies");
        PlaceValuesByTokens place_values = {};
        child(here.nexts[i], reply.again, plies, reply.values, place_values);
    }
    const int used = values_used(), choices = this->choices();
    for (int state = 0; state < used; ++state) {
        found[state] = state < choices ? end : found[0];
        for (std::size_t i = begin; i < end && state < choices; ++i) {
            const Reply& reply = here.replies[i];
            if (!reply.wanted) continue;
            const float equity = equity_of(state, reply.values[state]);
            if (found[state] < end && equity <= out.equity[state]) continue;
            found[state] = i;
            out.equity[state] = equity;
        }
        const Reply& reply = here.replies[found[state]];
        out.index[state] = reply.index;
        out.ended[state] = reply.leaf == Leaf::ended;
        out.values[state] = reply.values[state];
    }
}

void Search::search_selected(const Level& here, std::size_t number, int plies, const Selected& found, Best& out) {
    const int used = values_used(), choices = this->choices();
    level(plies).chosen.clear();
    for (int state = 0; state < used && plies > 0 && net_; ++state) {
        if (final(here.replies[found[state]].leaf)) continue;
        out.values[state] = search_further(here, found[state], plies).values[state];
        if (state < choices) out.equity[state] = equity_of(state, out.values[state]);
    }
    for (int tokens = 0; cube_ && tokens < states_; ++tokens) place(here, number, found, tokens, plies, out.place_values[tokens]);
}

// Values of the roll by place of the cube: for each rung with the reply that is best there. `best`: the best reply for each state, or
// for the first rungs.
void Search::place(const Level& here, std::size_t number, const Selected& best, int tokens, int plies, PlaceValues& out) {
    std::size_t before = here.replies.size();
    PlaceValues place_values = {};
    for (int rung = 0; rung < cube_->rungs(); ++rung) {
        const bool known = rung == 0 || static_cast<std::size_t>(rung) < rungs_;
        const std::size_t i = known ? best[static_cast<std::size_t>(tokens + rung)] : reply_for(here, number, tokens, rung);
        if (i != before) {
            const bool ends = plies == 0 || final(here.replies[i].leaf);
            place_values = ends ? ending(here, i, tokens) : search_further(here, i, plies).place_values[tokens];
            before = i;
        }
        cube_->take_over(rung, place_values, out);
    }
}

// The best reply to one of the rolls if the cube stays at a rung.
std::size_t Search::reply_for(const Level& here, std::size_t number, int tokens, int rung) const {
    const auto [begin, end] = here.replies_to(number);
    std::size_t found = end;
    float most = 0;
    for (std::size_t i = begin; i < end; ++i) {
        if (!here.replies[i].wanted) continue;
        const Probabilities probabilities = by_rung(here.replies[i].values, tokens).at(static_cast<std::size_t>(rung));
        const float merit = cube_->merit(static_cast<int>(side_), rung, probabilities);
        if (found < end && merit <= most) continue;
        found = i;
        most = merit;
    }
    return found;
}

// Searches each reply once, however many token states and rungs need it.
const Search::Found& Search::search_further(const Level& here, std::size_t reply, int plies) {
    std::vector<Chosen>& all = level(plies).chosen;
    for (const Chosen& chosen : all) {
        if (chosen.reply == reply) return chosen.found;
    }
    Found found;
    child(here.nexts[reply], here.replies[reply].again, plies, found.values, found.place_values);
    all.push_back({reply, found});
    return all.back().found;
}

void Search::second_ply(const Position& position, std::span<const int> rolls, const Values& rolling, Values& out) {
    out = {};
    Values known;
    if (final(look(position, known))) return;
    Level& here = level(1);
    for (const int roll : rolls) {
        evaluate_replies(position, Range::one(roll), true, here);
        Selected found = {};
        Best alone;
        select(here, 0, 0, found, alone);
        Best further = alone;
        search_selected(here, 0, 1, found, further);
        for (int state = 0; state < values_used(); ++state) {
            Probabilities unused;
            if (settle(state, alone, rolling, unused) != Reroll::none) continue;
            for (int i = 0; i < kMaxProbabilities; ++i) out[state][i] += further.values[state][i] - alone.values[state][i];
        }
    }
    for (Probabilities& changes : out) {
        for (float& change : changes) change /= static_cast<float>(rolls.size());
    }
}

Reroll Search::settle(int tokens, const Best& best, const Values& again, Probabilities& out) const {
    const Reroll reroll = decide_reroll(rules_.rerolls, tokens, best.equity[tokens], best.ended[tokens],
                                        [&](int left) { return equity_of(left, again[left]); });
    out = reroll == Reroll::none ? best.values[tokens] : again[tokens_left(tokens, reroll)];
    return reroll;
}

void Search::average(const std::vector<Best>& rows, Values& out) const {
    if (is_owed(rows)) {  // nobody rerolls what was not rolled
        for (int tokens = 0; tokens < values_used(); ++tokens) out[tokens] = rows[0].values[tokens];
        return;
    }
    for (int tokens = 0; tokens < values_used(); ++tokens) {
        Probabilities sum = {};
        for (std::size_t row = 0; row < rows.size(); ++row) {
            Probabilities probabilities;
            settle(tokens, rows[row], out, probabilities);
            const auto weight = static_cast<float>(rules_.rows[row].weight);
            for (int i = 0; i < kMaxProbabilities; ++i) sum[i] += weight * probabilities[i];
        }
        for (float& value : sum) value /= static_cast<float>(rules_.total_weight);
        out[tokens] = sum;
    }
}

// The sides decide about rerolls for each place of the cube by its values.
void Search::average(const std::vector<Best>& rows, PlaceValuesByTokens& rolling) const {
    const int places = cube_->places();
    if (is_owed(rows)) {
        for (int tokens = 0; tokens < states_; ++tokens) rolling[tokens] = rows[0].place_values[tokens];
        return;
    }
    for (int tokens = 0; tokens < states_; ++tokens) {
        const bool other_may = other_may_reroll(rules_.rerolls, tokens), roller_may = roller_may_reroll(rules_.rerolls, tokens);
        PlaceValues by_other = {}, sum = {};
        if (other_may) by_other = rolling[tokens & ~kTheirToken];
        if (other_may && rules_.rerolls.double_after_cancel) cube_->turn(static_cast<int>(side_), by_other);
        const PlaceValues& by_roller = rolling[tokens & ~kOwnToken];
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const bool other_may_here = other_may_reroll(rules_.rerolls, tokens, rows[row].ended[tokens]);
            for (int place = 0; place < places; ++place) {
                sum[place] += rules_.rows[row].weight * after_reroll(rows[row].place_values[tokens][place], other_may_here,
                                                                     by_other[place], roller_may, by_roller[place]);
            }
        }
        for (double& value : sum) value /= rules_.total_weight;
        rolling[tokens] = sum;
    }
}

void Search::evaluate(const Position& position, int plies, Values& out) {
    if (plies == 0) return leaves(&position, 1, &out);
    const Leaf found = look(position, out);
    if (found == Leaf::exact || found == Leaf::ended) return;
    std::vector<Best>& rows = level(plies - 1).rows;
    evaluate_rows(position, plies, rows);
    average(rows, out);
}

void Search::evaluate(const Position& position, int plies, Values& out, PlaceValuesByTokens& rolling) {
    rolling = {};
    const Leaf found = look(position, out);
    if (plies > 0 && !final(found)) {
        const Values known = out;
        std::vector<Best>& rows = level(plies - 1).rows;
        evaluate_rows(position, plies, rows);
        average(rows, out);
        average(rows, rolling);
        if (found == Leaf::exact) out = known;
        return;
    }
    if (found != Leaf::exact && found != Leaf::ended) leaves(&position, 1, &out);
    for (int tokens = 0; tokens < states_; ++tokens) rolling[tokens] = ending(position, true, found, tokens, out, nullptr);
}

// The best play of every roll, or of the one that is owed; the search from here looks `plies` rolls ahead in all.
void Search::evaluate_rows(const Position& position, int plies, std::vector<Best>& rows) {
    const int owed = owed_row(position);
    rows.resize(owed < 0 ? rules_.rows.size() : 1);
    Level& here = level(plies - 1);
    evaluate_replies(position, owed < 0 ? Range{0, rows.size()} : Range::one(owed), true, here);
    if (plies == 1 && asks_cube_net()) return pick_all(here, rows);
    each(rows.size(), plies >= kSharedPlies, [&](Search& search, std::size_t row) { search.pick(here, row, plies - 1, rows[row]); });
}

}  // namespace barpoint
