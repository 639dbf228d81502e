#include "tables/exact_tables.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace barpoint {
namespace {

constexpr int kFewCheckers = 6;  // checkers a side: 27 MB, made in 0.6 s (docs/engine.md, Files of tables)
constexpr double kUnasked = std::numeric_limits<double>::quiet_NaN();

// All checkers on points 0 to 6: every byte behind point 6 is zero, those of the pins included.
bool is_home(const Side& side) {
    static constexpr std::uint8_t kNone[sizeof(Side) - 7] = {};
    return std::memcmp(side.points + 7, kNone, sizeof kNone) == 0;
}

int on_board(const Side& side) {
    int count = 0;
    for (int point = 1; point <= kHomePoints; ++point) count += side.points[point];
    return count;
}

// What the tables of two rules may differ by.
std::string key_of(const Rules& rules) {
    std::string key;
    const auto say = [&](auto... values) { ((key += std::to_string(static_cast<int>(values)) + ","), ...); };
    say(rules.checkers, rules.bear_off, rules.meeting, rules.winner, rules.per_checker, rules.obligation, rules.prime,
        rules.gammon, rules.backgammon, rules.runner, rules.start_pin_loses, rules.capture, rules.block,
        rules.hit_and_run, rules.hit_before_home, rules.leave, rules.lowest_while_entering, rules.standstill_draws, rules.start.hand, rules.start.plain_rolls, rules.follow_once,
        rules.runner || rules.leave || rules.start_pin_loses ? rules.start_point : 0);
    for (const QuarterLimit& limit : rules.quarter_limits) say(limit.low, limit.high, limit.most);
    key += '/';
    for (int number : rules.leave_two) say(number);
    const Rerolls& r = rules.rerolls;
    say(r.tokens, r.own, r.other, r.double_after_cancel, r.final_roll_cancellable);
    for (const Row& row : rules.rows) {
        say(row.weight, row.again);
        for (const Stage& stage : row.stages) {
            key += '/';
            for (const Option& option : stage) {
                key += '|';
                for (int i = 0; i < option.count; ++i) say(option.numbers[i]);
                say(option.next);
            }
        }
    }
    return key;
}

}  // namespace

Tables::Tables(const Rules& rules) : rules_(rules) {
    races_ = rules.meeting == Meeting::opposite && rules.winner == Winner::first_off && !rules.per_checker &&
             rules.checkers <= kMaxHome && !rules.has_next;
    if (!races_) return;
    try {
        few_ = std::min(kFewCheckers, rules.checkers - 1);
        if (few_ > 0) TwoSided(rules, 1);  // refuses rules that it cannot follow
    } catch (const std::invalid_argument&) {
        few_ = 0;
    }
}

std::shared_ptr<const Tables> Tables::of(const Rules& rules) {
    static std::mutex mutex;
    static std::vector<std::pair<std::string, std::shared_ptr<const Tables>>> made;
    const std::string key = key_of(rules);
    const std::lock_guard lock(mutex);
    for (const auto& [other, tables] : made) {
        if (other == key) return tables;
    }
    made.emplace_back(key, std::make_shared<const Tables>(rules));
    return made.back().second;
}

const OneSided* Tables::one_sided() const {
    std::call_once(one_made_, [this] {
        try {
            one_ = std::make_unique<OneSided>(rules_, rules_.checkers);
        } catch (const std::invalid_argument&) {  // dice that never bear off a last checker
        }
    });
    return one_.get();
}

const TwoSided* Tables::two_sided(const Position& position) const {
    if (!few_ || on_board(position.us) > few_ || on_board(position.them) > few_) return nullptr;
    std::call_once(two_made_, [this] {
        auto table = std::make_unique<TwoSided>(rules_, few_);
        table->advance(table->size());
        two_ = std::move(table);
    });
    return two_.get();
}

void Tables::use(std::shared_ptr<const Contact> games) const {
    const std::lock_guard lock(giving_);
    kept_.push_back(std::move(games));
    games_.store(kept_.back().get(), std::memory_order_release);
}

Known Tables::ask(const Position& position, Values& out) const {
    if (const Contact* games = games_.load(std::memory_order_acquire)) {
        if (games->probabilities(position, out)) return Known::exact;
    }
    if (!races_ || !is_home(position.us) || !is_home(position.them)) return Known::nothing;
    if (const TwoSided* table = two_sided(position)) {
        const auto us = static_cast<std::uint32_t>(home_index(position.us, table->checkers()));
        const auto them = static_cast<std::uint32_t>(home_index(position.them, table->checkers()));
        for (int state = 0; state < table->states(); ++state) {
            out[state] = {static_cast<float>((table->at(us, them, state)[kCubeless] + 1) / 2), 0, 0, 0, 0};
        }
        return Known::exact;
    }
    const OneSided* table = one_sided();
    if (!table) return Known::nothing;
    const auto us = static_cast<std::uint32_t>(home_index(position.us, table->checkers()));
    const auto them = static_cast<std::uint32_t>(home_index(position.them, table->checkers()));
    const double win = race(table->turns(us), table->turns(them));
    Probabilities& f = out[0];
    f = {static_cast<float>(win), 0, 0, 0, 0};
    // Only who has borne off none can lose a gammon, and at home nobody loses more than that.
    if (!position.them.points[kOff]) f[1] = static_cast<float>(std::min(race(table->turns(us), table->first(them)), win));
    if (!position.us.points[kOff]) f[3] = static_cast<float>(std::min(1 - race(table->first(us), table->turns(them)), 1 - win));
    return Known::race;
}

std::optional<CubeRace> Tables::cube(const Position& position, int state, bool jacoby, bool rolling) const {
    if (const Contact* games = games_.load(std::memory_order_acquire)) {
        if (const float* cell = games->find(position); cell && state < games->states()) {
            const ContactEquities value = games->equities(cell + static_cast<std::size_t>(state) * kContactCell);
            const Holder centred = jacoby ? kCentredJacoby : kCentred;
            CubeRace race{value[kCubeless], value[kOwned], value[centred], value[kTheirs], kUnasked, kUnasked};
            if (rolling) {
                const ContactEquities rolled = games->rolling(position)[static_cast<std::size_t>(state)];
                race.roll_owned = rolled[kOwned];
                race.roll_centred = rolled[centred];
            }
            return race;
        }
    }
    if (!races_ || !is_home(position.us) || !is_home(position.them)) return std::nullopt;
    const TwoSided* table = two_sided(position);
    if (!table || state >= table->states()) return std::nullopt;
    const auto us = static_cast<std::uint32_t>(home_index(position.us, table->checkers()));
    const auto them = static_cast<std::uint32_t>(home_index(position.them, table->checkers()));
    if (!us || !them) return std::nullopt;
    const double* value = table->at(us, them, state);
    CubeRace race{value[kCubeless], value[kOwned], value[kCentred], value[kTheirs], kUnasked, kUnasked};
    if (rolling) {
        const auto rolled = table->rolling(us, them)[static_cast<std::size_t>(state)];
        race.roll_owned = rolled[kOwned];
        race.roll_centred = rolled[kCentred];
    }
    return race;
}

}  // namespace barpoint
