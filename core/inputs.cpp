#include "inputs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace barpoint {
namespace {

// One side takes a block of inputs: points and bar (25 x 4), borne off (3), hand (3), then what is computed. The second
// version computes more. Last stand what concerns both sides.
constexpr int kPlain = 25 * 4 + 3 + 3;
constexpr int kFirstComputed = 25;
constexpr int kFirstSide = kPlain + kFirstComputed;
constexpr int kSecondComputed = 36;
constexpr int kSecondSide = kPlain + kSecondComputed;
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

struct Shots {
    int one = 0, two = 0;  // rolls of 36 that hit at least one, at least two of the targets
    int loss_pips = 0;     // what the dearest hit of each roll costs the other side, summed over 36 rolls
};

Shots count_shots(const Board& b) {
    Shots shots;
    if (!b.targets) return shots;
    const std::uint32_t open = kPoints & ~b.blocked;
    std::uint32_t step[7];
    for (int die = 1; die <= 6; ++die) step[die] = (b.held >> die) & open;
    const auto entry = [&](int die) { return (1u << (kBar - die)) & open; };
    const auto note = [&](std::uint32_t hits, int weight) {
        hits &= b.targets;
        if (!hits) return;
        shots.one += weight;
        if (hits & (hits - 1)) shots.two += weight;
        shots.loss_pips += weight * (std::bit_width(hits) - 1);
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
    return shots;
}

// Escapes by which of the twelve points ahead are closed: bit 12 - d for the one d ahead.
std::array<std::uint8_t, 4096> tabulate_escapes() {
    std::array<std::uint8_t, 4096> table;
    for (std::uint32_t closed = 0; closed < table.size(); ++closed) {
        const auto open = [&](int ahead) { return !((closed >> (12 - ahead)) & 1u); };
        int rolls = 0;
        for (int high = 1; high <= 6; ++high) {
            if (open(high) && open(2 * high)) ++rolls;
            for (int low = 1; low < high; ++low) {
                if ((open(high) || open(low)) && open(high + low)) rolls += 2;
            }
        }
        table[closed] = static_cast<std::uint8_t>(rolls);
    }
    return table;
}

// How many of 36 rolls let a checker on the point move both numbers (two of a double).
int count_escapes(std::uint32_t blocked, int from) {
    static const std::array<std::uint8_t, 4096> table = tabulate_escapes();
    const std::uint32_t points = blocked & kPoints;
    const std::uint32_t ahead = from >= 12 ? points >> (from - 12) : points << (12 - from);
    return table[ahead & 0xFFFu];
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

// The computed inputs of the first version; returns the shots, which the second looks at further.
Shots encode_computed(const Side& side, const Board& b, int base, Inputs& out) {
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
    const Shots shots = count_shots(b);
    const float closed = static_cast<float>(std::popcount(b.blocked >> 19 & 0x3Fu)) / 6.0f;
    const int men = std::max(1, std::popcount(b.held));
    add(static_cast<float>(pips) / 150.0f);
    add(static_cast<float>(contact_pips) / 100.0f);
    add(static_cast<float>(std::popcount(b.made & 0x7Eu)) / 6.0f);
    add(closed * closed);
    add(b.bar ? closed * closed : 0.0f);
    add(static_cast<float>(shots.one) / 36.0f);
    add(static_cast<float>(shots.two) / 18.0f);
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
    return shots;
}

// How well own points hold a checker of the other side that stands on own points `from` to `to` or behind: the fewest
// rolls of 36 that take it out of there.
int fewest_escapes(const Board& other, int from, int to) {
    int fewest = 36;
    for (int point = from; point <= to; ++point) fewest = std::min(fewest, count_escapes(other.blocked, kBar - point));
    return fewest;
}

// What the second version computes besides.
void encode_more(const Side& side, const Board& b, const Board& other, const Shots& shots, int base, Inputs& out) {
    int at = base;
    const auto add = [&](float value) { out.add(at++, value); };
    int back = 0, escapes = 0, crossovers = 0, spread_pips = 0, count = 0, sum_pips = 0;
    for (int point = 1; point <= kBar; ++point) {
        const int here = side.points[point];
        if (!here) continue;
        count += here;
        sum_pips += here * point;
        crossovers += here * ((point + 5) / 6);
        if (point >= 13) {
            back += here;
            escapes += here * count_escapes(b.blocked, point);
        }
    }
    const int mean = count ? sum_pips / count : 0;
    for (int point = mean + 1; point <= kBar; ++point) spread_pips += side.points[point] * (point - mean) * (point - mean);
    add(back ? static_cast<float>(escapes) / static_cast<float>(36 * back) : 1.0f);
    // Checkers of the other side have to get past own points 1 to 9 and what lies ahead of them.
    const int rear = std::clamp(kBar - b.enemy_rear, 0, 9);
    const auto held = static_cast<float>(36 - fewest_escapes(other, rear, 9)) / 36.0f;
    add(held);
    add(held * held);
    add(static_cast<float>(36 - fewest_escapes(other, 0, 9)) / 36.0f);
    add(static_cast<float>(shots.loss_pips) / 360.0f);
    int broad = 0;  // most points made of six in a row
    for (int point = 1; point <= 19; ++point) broad = std::max(broad, std::popcount((b.made >> point) & 0x3Fu));
    add(static_cast<float>(broad) / 6.0f);
    const std::uint32_t ahead = b.rear >= 6 ? b.blocked >> (b.rear - 6) : b.blocked << (6 - b.rear);
    add(static_cast<float>(std::popcount(ahead & 0x3Fu)) / 6.0f);
    std::uint32_t direct = 0;  // numbers that hit at once
    for (int die = 1; die <= 6; ++die) direct |= static_cast<std::uint32_t>(((b.held >> die) & b.targets) != 0) << die;
    add(static_cast<float>(std::popcount(direct)) / 6.0f);
    add(static_cast<float>(std::popcount(b.blots & (0xFFFFFFFFu << std::clamp(kBar - b.enemy_rear, 0, 25)))) / 4.0f);
    add(static_cast<float>(spread_pips) / 1000.0f);
    add(static_cast<float>(crossovers) / 30.0f);
}

void look(const Position& position, Board& us, Board& them) {
    fill(position.us, us);
    fill(position.them, them);
    us.blocked = reversed(them.made);
    us.targets = reversed(them.blots);
    them.blocked = reversed(us.made);
    them.targets = reversed(us.blots);
    us.enemy_rear = them.rear;
    them.enemy_rear = us.rear;
}

void encode_first(const Position& position, Inputs& out) {
    out.count = 0;
    Board us, them;
    look(position, us, them);
    encode_plain(position.us, 0, out);
    encode_plain(position.them, kFirstSide, out);
    encode_computed(position.us, us, kPlain, out);
    encode_computed(position.them, them, kFirstSide + kPlain, out);
    out.add(2 * kFirstSide, us.rear + them.rear > kBar ? 1.0f : 0.0f);
}

void encode_second(const Position& position, Inputs& out) {
    out.count = 0;
    Board us, them;
    look(position, us, them);
    encode_plain(position.us, 0, out);
    encode_plain(position.them, kSecondSide, out);
    const Shots ours = encode_computed(position.us, us, kPlain, out);
    encode_more(position.us, us, them, ours, kFirstSide, out);
    const Shots theirs = encode_computed(position.them, them, kSecondSide + kPlain, out);
    encode_more(position.them, them, us, theirs, kSecondSide + kFirstSide, out);
    const float lead = static_cast<float>(position.them.pips() - position.us.pips());
    out.add(2 * kSecondSide, us.rear + them.rear > kBar ? 1.0f : 0.0f);
    out.add(2 * kSecondSide + 1, std::clamp(lead / 50.0f, -1.0f, 1.0f));
}

void encode_third(const Position& position, Inputs& out) {
    out.count = 0;
    encode_plain(position.us, 0, out);
    encode_plain(position.them, kPlain, out);
}

// The same numbers as encode_plain, place by place: only those whose counts differ are looked at.
void change_plain(const Side& from, const Side& to, int base, Inputs& out) {
    const auto point_inputs = [](int count) {
        return std::array{count == 1 ? 1.0f : 0.0f, count >= 2 ? 1.0f : 0.0f, count >= 3 ? 1.0f : 0.0f,
                          count > 3 ? static_cast<float>(count - 3) * 0.5f : 0.0f};
    };
    const auto thirds = [&](int before, int after, int at) {
        for (int third = 0; third < 3; ++third) {
            const auto part = [&](int count) { return static_cast<float>(std::clamp(count - 5 * third, 0, 5)) * 0.2f; };
            out.add(at + third, part(after) - part(before));
        }
    };
    std::uint64_t one[4], two[4];
    std::memcpy(one, &from, sizeof one);
    std::memcpy(two, &to, sizeof two);
    for (int word = 0; word < 4; ++word) {
        for (std::uint64_t left = one[word] ^ two[word]; left;) {
            const int shift = std::countr_zero(left) & ~7;
            left &= ~(std::uint64_t{0xFF} << shift);
            const int place = 8 * word + shift / 8;
            const int before = static_cast<int>(one[word] >> shift & 0xFF), after = static_cast<int>(two[word] >> shift & 0xFF);
            if (place == kOff) {
                thirds(before, after, base + 100);
            } else if (place == kHand) {
                thirds(before, after, base + 103);
            } else if (place <= kBar) {
                const std::array was = point_inputs(before), is = point_inputs(after);
                for (int i = 0; i < 4; ++i) out.add(base + (place - 1) * 4 + i, is[i] - was[i]);
            }
        }
    }
}

void change_third(const Position& from, const Position& to, Inputs& out) {
    out.count = 0;
    change_plain(from.us, to.us, 0, out);
    change_plain(from.them, to.them, kPlain, out);
}

constexpr InputVersion kVersions[] = {
    {1, 2 * kFirstSide + 1, encode_first},
    {2, 2 * kSecondSide + 2, encode_second},
    {3, 2 * kPlain, encode_third, change_third},
};

}  // namespace

const InputVersion* find_inputs(std::uint32_t id) {
    for (const InputVersion& version : kVersions) {
        if (version.id == id) return &version;
    }
    return nullptr;
}

}  // namespace barpoint
