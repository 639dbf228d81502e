// Values of the board, as src/barpoint/board.py has them: each side counts on its own path.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace barpoint {

inline constexpr int kOff = 0;
inline constexpr int kBar = 25;
inline constexpr int kHand = 26;  // as a move's source only: not yet entered

// One side's checkers and what its dice still have to do, 32 bytes without a gap, so that equality and hash may look at all of them.
struct alignas(32) Side {
    std::uint8_t points[26] = {};  // 0 borne off, 1..24 own points, 25 bar
    std::uint8_t hand = 0;         // not yet entered
    std::uint8_t plain_rolls : 2 = 0;  // so many rolls of this side are still followed by none
    std::uint8_t owed : 6 = 0;         // 1 + the row of Rules::rows that this side plays next without rolling it; 0 where it rolls
    std::uint32_t pinned = 0;  // bit p: the single checker on own point p is pinned there

    friend bool operator==(const Side& a, const Side& b) { return std::memcmp(&a, &b, sizeof(Side)) == 0; }

    int total() const {
        int sum = hand;
        for (std::uint8_t count : points) sum += count;
        return sum;
    }
    // Pips still to go; a checker on the bar or in the hand counts 25.
    int pips() const {
        int sum = kBar * hand;
        for (int point = 1; point < 26; ++point) sum += point * points[point];
        return sum;
    }
    // The point of the rearmost checker: 25 from bar or hand, 0 where all are borne off.
    int rear() const {
        if (hand) return kBar;
        int point = kBar;
        while (point > 0 && !points[point]) --point;
        return point;
    }
};
static_assert(sizeof(Side) == 32);

// Both sides, seen by the player to act: `us` is to act.
struct Position {
    Side us;
    Side them;

    Position flip() const { return {them, us}; }
    // The sides have yet to pass each other.
    bool contact() const { return us.rear() + them.rear() > kBar; }
    friend bool operator==(const Position& a, const Position& b) { return std::memcmp(&a, &b, sizeof(Position)) == 0; }
};
static_assert(sizeof(Position) == 64);

// Where their counts differ: bit p for place p of `us`, bit 32 + p for place p of `them`.
inline std::uint64_t differing(const Position& one, const Position& two) {
    constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7Fu, kPlaces = 0x07FFFFFF07FFFFFFu;
    std::uint64_t a[8], b[8], mask = 0;
    std::memcpy(a, &one, sizeof a);
    std::memcpy(b, &two, sizeof b);
    for (int word = 0; word < 8; ++word) {
        // The top bits of eight bytes, gathered by one multiplication.
        const std::uint64_t other = a[word] ^ b[word], tops = (((other & kLow) + kLow) | other) & ~kLow;
        mask |= ((tops >> 7) * 0x0102040810204080u >> 56) << (8 * word);
    }
    return mask & kPlaces;
}

// A 64-bit hash of all 64 bytes; the same on every machine with the same byte order.
inline std::uint64_t hash(const Position& position) {
    std::uint64_t words[8];
    std::memcpy(words, &position, sizeof words);
    std::uint64_t h = 0x9E3779B97F4A7C15u;
    for (std::uint64_t word : words) {
        h = (h ^ word) * 0xD6E8FEB86659FD93u;
        h = std::rotl(h, 29);
    }
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93u;
    return h ^ (h >> 29);
}

// The same for the standard library's sets and maps.
struct PositionHash {
    std::size_t operator()(const Position& position) const { return static_cast<std::size_t>(hash(position)); }
};

}  // namespace barpoint
