#include "inputs.hpp"

#include <algorithm>
#include <bit>

namespace barpoint {
namespace {

// One side takes a block of kSide inputs: points and bar (25 x 4), borne off (3), hand (3), then what is computed.
constexpr int kPlain = 25 * 4 + 3 + 3;
constexpr int kComputed = 25;
constexpr int kSide = kPlain + kComputed;
constexpr int kSize = 2 * kSide + 1;
constexpr std::uint32_t kPoints = 0x01FFFFFEu;  // own points 1..24

// Bit boards of both sides, in one side's own numbering.
struct Board {
    std::uint32_t held = 0;     // at least one checker, points 1..24
    std::uint32_t made = 0;     // at least two
    std::uint32_t blots = 0;    // exactly one
    std::uint32_t blocked = 0;  // points the other side closes
    std::uint32_t targets = 0;  // blots of the other side
    int bar = 0;
    int rear = 0;        // own rearmost point, 25 for bar and hand
    int enemy_rear = 0;  // the other side's, in its own numbering
};

// The same points in the other side's numbering: bit p becomes bit 25 - p.
std::uint32_t reversed(std::uint32_t bits) {
    bits = (bits >> 16) | (bits << 16);
    bits = ((bits >> 8) & 0x00FF00FFu) | ((bits & 0x00FF00FFu) << 8);
    bits = ((bits >> 4) & 0x0F0F0F0Fu) | ((bits & 0x0F0F0F0Fu) << 4);
    bits = ((bits >> 2) & 0x33333333u) | ((bits & 0x33333333u) << 2);
    bits = ((bits >> 1) & 0x55555555u) | ((bits & 0x55555555u) << 1);
    return bits >> 6;
}

void fill(const Side& side, Board& board) {
    for (int point = 1; point <= 24; ++point) {
        const int count = side.points[point];
        board.held |= static_cast<std::uint32_t>(count > 0) << point;
        board.made |= static_cast<std::uint32_t>(count > 1) << point;
    }
    board.blots = board.held & ~board.made;
    board.bar = side.points[kBar];
    board.rear = board.bar || side.hand ? kBar : std::bit_width(board.held | 1u) - 1;
}

// How many of 36 rolls of two dice hit at least one, at least two of the targets.
void count_shots(const Board& b, int& one, int& two) {
    one = two = 0;
    if (!b.targets) return;
    const std::uint32_t open = kPoints & ~b.blocked;
    std::uint32_t step[7];
    for (int die = 1; die <= 6; ++die) step[die] = (b.held >> die) & open;
    const auto entry = [&](int die) { return (1u << (kBar - die)) & open; };
    const auto note = [&](std::uint32_t hits, int weight) {
        hits &= b.targets;
        if (hits) one += weight;
        if (hits & (hits - 1)) two += weight;
    };
    for (int high = 1; high <= 6; ++high) {
        for (int low = 1; low < high; ++low) {
            std::uint32_t hits = 0;
            if (b.bar == 0) {
                hits = step[high] | step[low] | ((step[high] >> low) & open) | ((step[low] >> high) & open);
            } else if (b.bar == 1) {
                if (const std::uint32_t in = entry(high)) hits |= in | step[low] | ((in >> low) & open);
                if (const std::uint32_t in = entry(low)) hits |= in | step[high] | ((in >> high) & open);
            } else {
                hits = entry(high) | entry(low);
            }
            note(hits, 2);
        }
        std::uint32_t at = b.held, hits = 0;
        int moves = 4;
        if (b.bar) {
            if (!entry(high)) continue;
            hits = entry(high);
            at |= entry(high);
            moves -= b.bar;
        }
        for (; moves > 0; --moves) hits |= at = (at >> high) & open;
        note(hits, 1);
    }
}

// How many of 36 rolls let a checker on the point move both numbers (two of a double).
int count_escapes(std::uint32_t blocked, int from) {
    const auto open = [&](int point) { return point <= 0 || !((blocked >> point) & 1u); };
    int rolls = 0;
    for (int high = 1; high <= 6; ++high) {
        if (open(from - high) && open(from - 2 * high)) ++rolls;
        for (int low = 1; low < high; ++low) {
            if ((open(from - high) || open(from - low)) && open(from - high - low)) rolls += 2;
        }
    }
    return rolls;
}

// The longest row of own made points that the other side's rearmost checker has yet to pass.
int longest_prime(const Board& b) {
    const int front = kBar - b.enemy_rear;  // where that checker stands, own numbering
    std::uint32_t run = b.made & (0xFFFFFFFFu << std::max(front, 0));
    int length = 0;
    for (; run; run &= run >> 1) ++length;
    return length;
}

void encode_plain(const Side& side, int base, Inputs& out) {
    for (int point = 1; point <= kBar; ++point) {
        const int count = side.points[point];
        if (!count) continue;
        const int at = base + (point - 1) * 4;
        if (count == 1) out.add(at, 1.0f);
        if (count >= 2) out.add(at + 1, 1.0f);
        if (count >= 3) out.add(at + 2, 1.0f);
        if (count > 3) out.add(at + 3, static_cast<float>(count - 3) * 0.5f);
    }
    for (int third = 0; third < 3; ++third) {
        const auto part = [&](int count) { return static_cast<float>(std::clamp(count - 5 * third, 0, 5)) * 0.2f; };
        out.add(base + 100 + third, part(side.points[kOff]));
        out.add(base + 103 + third, part(side.hand));
    }
}

void encode_computed(const Side& side, const Board& b, int base, Inputs& out) {
    int at = base;
    const auto add = [&](float value) { out.add(at++, value); };
    const int front = kBar - b.enemy_rear;
    int pips = kBar * side.hand, contact_pips = 0, home_pips = 0, back_pips = 0, back = 0, spare = 0;
    for (int point = 1; point <= kBar; ++point) {
        const int count = side.points[point];
        if (!count) continue;
        pips += point * count;
        contact_pips += std::max(point - front, 0) * count;
        home_pips += std::max(point - 6, 0) * count;
        spare += std::max(count - 3, 0);
        if (point >= 19) {
            back += count;
            back_pips += point * count;
        }
    }
    int shots = 0, double_shots = 0;
    count_shots(b, shots, double_shots);
    const float closed = static_cast<float>(std::popcount(b.blocked >> 19 & 0x3Fu)) / 6.0f;
    const int men = std::max(1, std::popcount(b.held));
    add(static_cast<float>(pips) / 150.0f);
    add(static_cast<float>(contact_pips) / 100.0f);
    add(static_cast<float>(std::popcount(b.made & 0x7Eu)) / 6.0f);
    add(closed * closed);
    add(b.bar ? closed * closed : 0.0f);
    add(static_cast<float>(shots) / 36.0f);
    add(static_cast<float>(double_shots) / 18.0f);
    add(b.rear > 0 ? static_cast<float>(count_escapes(b.blocked, b.rear)) / 36.0f : 1.0f);
    const std::uint32_t others = b.held & ~(1u << b.rear) & 0x01F80000u;
    add(others ? static_cast<float>(count_escapes(b.blocked, std::bit_width(others) - 1)) / 36.0f : 1.0f);
    add(static_cast<float>(longest_prime(b)) / 6.0f);
    for (int die = 4; die <= 6; ++die) {
        add(static_cast<float>(std::popcount((b.held >> die) & kPoints & ~b.blocked)) / static_cast<float>(men));
    }
    add(static_cast<float>(spare) / 5.0f);
    add(static_cast<float>(side.points[1] + side.points[2]) / 5.0f);
    add(static_cast<float>(std::popcount(b.made & 0x01F80000u)) / 2.0f);
    add(static_cast<float>(back) / 5.0f);
    add(static_cast<float>(back_pips - 18 * back) / 20.0f);
    add(static_cast<float>(pips - back_pips) / 100.0f);
    add(side.points[kOff] ? 0.0f : 1.0f);
    add(static_cast<float>(b.rear) / 25.0f);
    add(b.rear <= 6 ? 1.0f : 0.0f);
    add(side.points[kOff] ? 0.0f : static_cast<float>(home_pips) / 60.0f);
    add(b.rear <= 6 ? static_cast<float>(3 - std::popcount(b.held & 0x70u)) / 3.0f : 0.0f);
    add(static_cast<float>(std::popcount(b.blots & 0x7Eu)) / 3.0f);
}

void encode_first(const Position& position, Inputs& out) {
    out.count = 0;
    Board us, them;
    fill(position.us, us);
    fill(position.them, them);
    us.blocked = reversed(them.made);
    us.targets = reversed(them.blots);
    them.blocked = reversed(us.made);
    them.targets = reversed(us.blots);
    us.enemy_rear = them.rear;
    them.enemy_rear = us.rear;
    encode_plain(position.us, 0, out);
    encode_plain(position.them, kSide, out);
    encode_computed(position.us, us, kPlain, out);
    encode_computed(position.them, them, kSide + kPlain, out);
    out.add(2 * kSide, us.rear + them.rear > kBar ? 1.0f : 0.0f);
}

constexpr InputVersion kVersions[] = {{1, kSize, encode_first}};

}  // namespace

const InputVersion* find_inputs(std::uint32_t id) {
    for (const InputVersion& version : kVersions) {
        if (version.id == id) return &version;
    }
    return nullptr;
}

}  // namespace barpoint
