#include "rules/step.hpp"

#include <algorithm>

namespace barpoint {

namespace {

// Some enemy checker is ahead of every six points in a row on its path.
bool an_enemy_is_ahead(const Rules& rules, const Position& position) {
    const Points ours = across(rules.meeting, occupied(position.us));
    const Points rows = ours & (ours >> 1) & (ours >> 2) & (ours >> 3) & (ours >> 4) & (ours >> 5);
    const Points ahead = (rows & (~rows + 1)) - 1;  // below the lowest point of the foremost row
    return !rows || position.them.points[kOff] || (occupied(position.them) & ahead);
}

// No six points in a row directly in front of the one point on which all enemy checkers still in play stand.
bool not_before_all(const Rules& rules, const Position& position) {
    const Points theirs = occupied(position.them);
    const int stack = highest(theirs | 1);
    if (theirs != bit(stack) || stack <= 6 || stack > 24) return true;
    const Points ahead = across(rules.meeting, Points{63} << (stack - 6));
    return ahead & ~occupied(position.us);
}

bool prime_allows(const Rules& rules, const Position& position) {
    switch (rules.prime) {
        case Prime::never_before_all:
            return not_before_all(rules, position);
        case Prime::enemy_ahead:
            return an_enemy_is_ahead(rules, position);
        case Prime::free:
            break;
    }
    return true;
}

}  // namespace

bool stands_as_allowed(const Rules& rules, const Side& side) {
    if (rules.runner && rules.checkers - side.points[rules.start_point] > 1) {
        int arrived = 0;
        for (int point = 0; point <= rules.runner; ++point) arrived += side.points[point];
        if (!arrived) return false;
    }
    for (const QuarterLimit& limit : rules.quarter_limits) {
        int held = 0;
        for (int point = limit.low; point <= limit.high; ++point) held += side.points[point] != 0;
        if (held > limit.most) return false;
    }
    return true;
}

RollLimits limits_of(const Rules& rules, const Position& before, const Row& row) {
    RollLimits limits;
    if (!rules.hit_and_run) limits.staying = across(rules.meeting, singles(before.them)) & ~kNotHome;
    if (rules.leave) {
        const int standing = before.us.points[rules.start_point];
        const bool first = standing == rules.checkers && row.faces.size() == 2 && row.faces[0] == row.faces[1];
        const bool two = first && std::find(rules.leave_two.begin(), rules.leave_two.end(), row.faces[0]) != rules.leave_two.end();
        limits.at_start = std::max(0, standing - (two ? 2 : rules.leave));
    }
    return limits;
}

Points sources(const Rules& rules, Points closed, const Position& position, int number) {
    const Points held = occupied(position.us);
    Points found = free_sources(rules, closed, held, held & ~position.us.pinned, number);
    if (rules.judges_every_move) {
        for (Points left = found; left; left &= left - 1) {
            const int source = std::countr_zero(left);
            Position after = position;
            make_step(rules, after, source, number);
            if (!prime_allows(rules, after) || !stands_as_allowed(rules, after.us)) found &= ~bit(source);
        }
    }
    return found;
}

Effect make_step(const Rules& rules, Position& position, int source, int number) {
    auto* counts = reinterpret_cast<std::uint8_t*>(&position.us);  // byte 26 is the hand
    const int target = destination(source, number);
    --counts[source];
    ++counts[target];
    if (rules.capture == Capture::none) return Effect::none;
    Side& them = position.them;
    if (source <= 24 && !counts[source]) them.pinned &= ~bit(rules.meets[source]);
    if (target == kOff) return Effect::none;
    const int theirs = rules.meets[target];
    if (them.points[theirs] != 1 || (them.pinned & bit(theirs))) return Effect::none;
    if (rules.capture == Capture::pin) {
        them.pinned |= bit(theirs);
        return Effect::pin;
    }
    them.points[theirs] = 0;
    ++them.points[kBar];
    return Effect::hit;
}

bool ended_by_mover(const Rules& rules, const Position& position) {
    if (position.us.points[kOff] == rules.checkers) return true;
    if (!rules.start_pin_loses) return false;
    const Points start = bit(rules.start_point);
    if (!(position.them.pinned & start)) return false;
    const bool free_at_home = position.us.points[rules.start_point] && !(position.us.pinned & start);
    return !free_at_home;
}

}  // namespace barpoint
