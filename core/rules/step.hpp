// Single moves: which sources a number may move, and what a move does. Points are bits 1..26 of a mask, in the mover's
// numbers: 25 the bar, 26 the hand.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "rules/position.hpp"
#include "rules/rules.hpp"

namespace barpoint {

using Points = std::uint32_t;

inline constexpr Points kBoard = 0x01FFFFFE;      // 1..24
inline constexpr Points kPlaces = 0x07FFFFFE;     // and bar and hand
inline constexpr Points kNotHome = 0x07FFFF80;    // 7..24, bar, hand

constexpr Points bit(int point) { return Points{1} << point; }
inline int highest(Points points) { return 31 - std::countl_zero(points); }

// Bit i is set where byte i of the side satisfies a test; counts are below 128, so eight are tested at a time.
template <class Test>
inline Points bytes_where(const Side& side, Test test) {
    std::uint64_t words[4];
    std::memcpy(words, &side, sizeof words);
    Points mask = 0;
    for (int i = 0; i < 4; ++i) {
        const std::uint64_t high = test(words[i]) & 0x8080808080808080u;
        mask |= static_cast<Points>(((high >> 7) * 0x0102040810204080u) >> 56) << (8 * i);
    }
    return mask;
}

// Places (1..26) that hold a checker.
inline Points occupied(const Side& side) {
    return bytes_where(side, [](std::uint64_t w) { return w + 0x7F7F7F7F7F7F7F7Fu; }) & kPlaces;
}

// Points 1..24 that hold exactly one checker.
inline Points singles(const Side& side) {
    return bytes_where(side, [](std::uint64_t w) { return ~((w ^ 0x0101010101010101u) + 0x7F7F7F7F7F7F7F7Fu); }) & kBoard;
}

// The same points 1..24 in the other side's numbers.
inline Points across(Meeting meeting, Points points) {
    points &= kBoard;
    switch (meeting) {
        case Meeting::opposite:
            points = ((points >> 1) & 0x55555555) | ((points & 0x55555555) << 1);
            points = ((points >> 2) & 0x33333333) | ((points & 0x33333333) << 2);
            points = ((points >> 4) & 0x0F0F0F0F) | ((points & 0x0F0F0F0F) << 4);
            points = ((points >> 8) & 0x00FF00FF) | ((points & 0x00FF00FF) << 8);
            return ((points >> 16) | (points << 16)) >> 6;
        case Meeting::far_corner:
            return ((points << 12) | (points >> 12)) & kBoard;
        case Meeting::same:
            break;
    }
    return points;
}

// Whether a side may hit: where rules ask for it, one of its checkers stands in its home or is borne off.
inline bool may_hit(const Rules& rules, const Side& us) {
    return rules.hit_before_home || us.points[kOff] || (occupied(us) & ~kNotHome);
}

// Points on which the mover cannot land. Once the mover may hit, the same all through a turn: hits and pins only touch single
// checkers.
inline Points closed_points(const Rules& rules, const Position& position) {
    const Points held = occupied(position.them) & kBoard;
    const Points single = singles(position.them);
    const Points strong = rules.block == 1 || !may_hit(rules, position.us) ? held : held & ~single;
    const Points captors = across(rules.meeting, single) & position.us.pinned;
    return across(rules.meeting, strong) | captors;
}

// What a whole roll may not do, by the position before it.
struct RollLimits {
    Points staying = 0;  // own points at home with a single enemy checker, where whoever hits moves no further
    int at_start = 0;    // so many checkers at least stay on the start point

    // Sources from which nothing may move now, halfway through the roll.
    Points held_back(const Rules& rules, const Side& us) const {
        const Points start = rules.leave && us.points[rules.start_point] <= at_start ? bit(rules.start_point) : 0;
        return start | (staying ? staying & singles(us) : 0);
    }
};

RollLimits limits_of(const Rules& rules, const Position& before, const Row& row);

// Sources that `number` can move when no rule judges the position afterwards.
// held: own places with a checker; movable: those of them that are not pinned.
inline Points free_sources(const Rules& rules, Points closed, Points held, Points movable, int number) {
    const bool entry_closed = (closed >> (kBar - number)) & 1;
    if (held & bit(kBar)) return entry_closed ? 0 : bit(kBar);
    Points sources = movable & kBoard & ~(closed << number) & (~Points{1} << number);
    if (held & kNotHome) {
        if (held & bit(kHand)) {
            sources &= kPlaces << (number + std::max(1, rules.lowest_while_entering) - 1);
            if (!entry_closed) sources |= bit(kHand);
        }
        return sources;
    }
    sources |= movable & bit(number);
    if (rules.bear_off == BearOff::highest && held && highest(held) < number) sources |= movable & bit(highest(held));
    return sources;
}

// What the rules of runner and quarter limits ask of a side, after every single move of it.
bool stands_as_allowed(const Rules& rules, const Side& side);

// Sources that `number` may move, every rule considered.
Points sources(const Rules& rules, Points closed, const Position& position, int number);

inline int destination(int source, int number) {
    if (source == kHand) return kBar - number;
    return source > number ? source - number : kOff;
}

enum class Effect : std::uint8_t { none, hit, pin };

// Makes a move that sources() allows, and says what it did to the other side.
Effect make_step(const Rules& rules, Position& position, int source, int number);

// The mover's last move ended the game.
bool ended_by_mover(const Rules& rules, const Position& position);

}  // namespace barpoint
