#include "inputs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "dispatch.hpp"

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
    std::uint32_t places = 0;   // points and bar with at least one checker
    std::uint32_t pairs = 0;    // at least two
    std::uint32_t triples = 0;  // at least three
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

// Bit i: byte i of 26 is at least `count`; no byte is above 127.
std::uint32_t at_least(const std::uint64_t (&words)[4], int count) {
    const std::uint64_t add = 0x0101010101010101u * static_cast<std::uint64_t>(128 - count);
    std::uint32_t bits = 0;
    for (int word = 0; word < 4; ++word) {
        // The top bits of eight bytes, gathered by one multiplication.
        const std::uint64_t tops = (words[word] + add) & 0x8080808080808080u;
        bits |= static_cast<std::uint32_t>((tops >> 7) * 0x0102040810204080u >> 56) << (8 * word);
    }
    return bits & 0x03FFFFFFu;
}

void fill(const Side& side, Board& board) {
    std::uint64_t words[4];
    std::memcpy(words, &side, sizeof words);
    const std::uint32_t held = at_least(words, 1);
    board.places = held & ~1u;
    board.pairs = at_least(words, 2) & ~1u;
    board.triples = at_least(words, 3) & ~1u;
    board.held = held & kPoints;
    board.made = board.pairs & kPoints;
    board.blots = board.held & ~board.made;
    board.bar = side.points[kBar];
    board.rear = board.bar || side.hand ? kBar : std::bit_width(board.held | 1u) - 1;
}

// Bits set; the instruction is not one that every machine has.
int count_bits(std::uint32_t bits) {
    bits -= (bits >> 1) & 0x55555555u;
    bits = (bits & 0x33333333u) + ((bits >> 2) & 0x33333333u);
    return static_cast<int>((((bits + (bits >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24);
}

// Calls visit(point) for every bit, from the lowest.
template <class Visit>
void each_bit(std::uint32_t bits, Visit&& visit) {
    for (; bits; bits &= bits - 1) visit(std::countr_zero(bits));
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
    // Without branches: which rolls hit is hard to guess. No target is bit 0.
    const auto note = [&](std::uint32_t hits, int weight) {
        hits &= b.targets;
        shots.one += hits ? weight : 0;
        shots.two += hits & (hits - 1) ? weight : 0;
        shots.loss_pips += weight * (std::bit_width(hits | 1u) - 1);
    };
    for (int high = 1; high <= 6; ++high) {
        for (int low = 1; low < high; ++low) {
            std::uint32_t hits;
            if (b.bar == 0) {
                hits = step[high] | step[low] | (step[high] >> low) | (step[low] >> high);
            } else if (b.bar == 1) {
                const std::uint32_t one = entry(high), two = entry(low);
                hits = one | two | (one ? step[low] | one >> low : 0u) | (two ? step[high] | two >> high : 0u);
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
constexpr std::array<std::uint8_t, 4096> tabulate_escapes() {
    std::array<std::uint8_t, 4096> table = {};
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

constexpr std::array<std::uint8_t, 4096> kEscapes = tabulate_escapes();

// How many of 36 rolls let a checker on the point move both numbers (two of a double).
int count_escapes(std::uint32_t blocked, int from) {
    const std::uint32_t points = blocked & kPoints;
    const std::uint32_t ahead = from >= 12 ? points >> (from - 12) : points << (12 - from);
    return kEscapes[ahead & 0xFFFu];
}

// The longest row of own made points that the other side's rearmost checker has yet to pass.
int longest_prime(const Board& b) {
    const int front = kBar - b.enemy_rear;  // where that checker stands, own numbering
    std::uint32_t run = b.made & (0xFFFFFFFFu << std::max(front, 0));
    int length = 0;
    for (; run; run &= run >> 1) ++length;
    return length;
}

void encode_plain(const Side& side, const Board& b, int base, Inputs& out) {
    each_bit(b.places, [&](int point) {
        const int at = base + (point - 1) * 4;
        if (!(b.pairs >> point & 1u)) return out.add(at, 1.0f);
        out.add(at + 1, 1.0f);
        if (!(b.triples >> point & 1u)) return;
        out.add(at + 2, 1.0f);
        if (side.points[point] > 3) out.add(at + 3, static_cast<float>(side.points[point] - 3) * 0.5f);
    });
    const auto thirds = [&](int count, int at) {
        for (int third = 0; count > 0; ++third, count -= 5) {
            if (third < 3) out.add(at + third, static_cast<float>(std::min(count, 5)) * 0.2f);
        }
    };
    thirds(side.points[kOff], base + 100);
    thirds(side.hand, base + 103);
}

// Computed inputs in their order, each a number of units; all are divided at once.
struct Measures {
    int count = 0;
    float amount[kSecondComputed], unit[kSecondComputed];

    void add(float what, float per = 1.0f) {
        amount[count] = what;
        unit[count++] = per;
    }
    void add(int what, float per) { add(static_cast<float>(what), per); }
    void write(int base, Inputs& out) {
        for (int i = 0; i < count; ++i) amount[i] /= unit[i];
        for (int i = 0; i < count; ++i) out.add(base + i, amount[i]);
    }
    // Those that are not what they were.
    void change(const float* before, int base, Inputs& out) {
        for (int i = 0; i < count; ++i) amount[i] /= unit[i];
        for (int i = 0; i < count; ++i) out.change(base + i, amount[i], before[base + i]);
    }
};

// The computed inputs of the first version; returns the shots, which the second looks at further.
Shots compute(const Side& side, const Board& b, Measures& out) {
    const auto add = [&](auto... value) { out.add(value...); };
    const int front = kBar - b.enemy_rear;
    int pips = kBar * side.hand, contact_pips = 0, home_pips = 0, back_pips = 0, back = 0, spare = 0;
    each_bit(b.places, [&](int point) {
        const int count = side.points[point];
        pips += point * count;
        contact_pips += std::max(point - front, 0) * count;
        home_pips += std::max(point - 6, 0) * count;
        spare += std::max(count - 3, 0);
        if (point >= 19) {
            back += count;
            back_pips += point * count;
        }
    });
    const Shots shots = count_shots(b);
    const float closed = static_cast<float>(count_bits(b.blocked >> 19 & 0x3Fu)) / 6.0f;
    const int men = std::max(1, count_bits(b.held));
    add(pips, 150.0f);
    add(contact_pips, 100.0f);
    add(count_bits(b.made & 0x7Eu), 6.0f);
    add(closed * closed);
    add(b.bar ? closed * closed : 0.0f);
    add(shots.one, 36.0f);
    add(shots.two, 18.0f);
    add(b.rear > 0 ? count_escapes(b.blocked, b.rear) : 36, 36.0f);
    const std::uint32_t others = b.held & ~(1u << b.rear) & 0x01F80000u;
    add(others ? count_escapes(b.blocked, std::bit_width(others) - 1) : 36, 36.0f);
    add(longest_prime(b), 6.0f);
    for (int die = 4; die <= 6; ++die) {
        add(count_bits((b.held >> die) & kPoints & ~b.blocked), static_cast<float>(men));
    }
    add(spare, 5.0f);
    add(side.points[1] + side.points[2], 5.0f);
    add(count_bits(b.made & 0x01F80000u), 2.0f);
    add(back, 5.0f);
    add(back_pips - 18 * back, 20.0f);
    add(pips - back_pips, 100.0f);
    add(side.points[kOff] ? 0.0f : 1.0f);
    add(b.rear, 25.0f);
    add(b.rear <= 6 ? 1.0f : 0.0f);
    add(side.points[kOff] ? 0 : home_pips, 60.0f);
    add(b.rear <= 6 ? 3 - count_bits(b.held & 0x70u) : 0, 3.0f);
    add(count_bits(b.blots & 0x7Eu), 3.0f);
    return shots;
}

// How well own points hold checkers of the other side that stand on own point 9 or behind: the fewest rolls of 36 that
// take one out of there, from `rear` on and from any point.
void fewest_escapes(const Board& other, int rear, int& from_rear, int& from_any) {
    int fewest = 36;
    for (int point = 9; point >= 0; --point) {
        fewest = std::min(fewest, count_escapes(other.blocked, kBar - point));
        if (point == rear) from_rear = fewest;
    }
    from_any = fewest;
}

// What the second version computes besides.
void compute_more(const Side& side, const Board& b, const Board& other, const Shots& shots, Measures& out) {
    const auto add = [&](auto... value) { out.add(value...); };
    int back = 0, escapes = 0, crossovers = 0, spread_pips = 0, count = 0, sum_pips = 0;
    each_bit(b.places, [&](int point) {
        const int here = side.points[point];
        count += here;
        sum_pips += here * point;
        crossovers += here * ((point + 5) / 6);
        if (point >= 13) {
            back += here;
            escapes += here * count_escapes(b.blocked, point);
        }
    });
    const int mean = count ? sum_pips / count : 0;
    each_bit(b.places & (0xFFFFFFFEu << mean), [&](int point) { spread_pips += side.points[point] * (point - mean) * (point - mean); });
    add(back ? escapes : 1, back ? static_cast<float>(36 * back) : 1.0f);
    // Checkers of the other side have to get past own points 1 to 9 and what lies ahead of them.
    const int rear = std::clamp(kBar - b.enemy_rear, 0, 9);
    int from_rear = 36, from_any = 36;
    fewest_escapes(other, rear, from_rear, from_any);
    const auto held = static_cast<float>(36 - from_rear) / 36.0f;
    add(held);
    add(held * held);
    add(36 - from_any, 36.0f);
    add(shots.loss_pips, 360.0f);
    int broad = 0;  // most points made of six in a row
    each_bit(b.made, [&](int point) { broad = std::max(broad, count_bits((b.made >> std::min(point, 19)) & 0x3Fu)); });
    add(broad, 6.0f);
    const std::uint32_t ahead = b.rear >= 6 ? b.blocked >> (b.rear - 6) : b.blocked << (6 - b.rear);
    add(count_bits(ahead & 0x3Fu), 6.0f);
    std::uint32_t direct = 0;  // numbers that hit at once
    for (int die = 1; die <= 6; ++die) direct |= static_cast<std::uint32_t>(((b.held >> die) & b.targets) != 0) << die;
    add(count_bits(direct), 6.0f);
    add(count_bits(b.blots & (0xFFFFFFFFu << std::clamp(kBar - b.enemy_rear, 0, 25))), 4.0f);
    add(spread_pips, 1000.0f);
    add(crossovers, 30.0f);
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
    encode_plain(position.us, us, 0, out);
    encode_plain(position.them, them, kFirstSide, out);
    Measures ours, theirs;
    compute(position.us, us, ours);
    compute(position.them, them, theirs);
    ours.write(kPlain, out);
    theirs.write(kFirstSide + kPlain, out);
    out.add(2 * kFirstSide, us.rear + them.rear > kBar ? 1.0f : 0.0f);
}

// What the second version sees of both sides together.
struct Both {
    float contact, lead;

    Both(const Position& position, const Board& us, const Board& them)
        : contact(us.rear + them.rear > kBar ? 1.0f : 0.0f),
          lead(std::clamp(static_cast<float>(position.them.pips() - position.us.pips()) / 50.0f, -1.0f, 1.0f)) {}
};

void encode_second(const Position& position, Inputs& out) {
    out.count = 0;
    Board us, them;
    look(position, us, them);
    encode_plain(position.us, us, 0, out);
    encode_plain(position.them, them, kSecondSide, out);
    Measures ours, theirs;
    compute_more(position.us, us, them, compute(position.us, us, ours), ours);
    compute_more(position.them, them, us, compute(position.them, them, theirs), theirs);
    ours.write(kPlain, out);
    theirs.write(kSecondSide + kPlain, out);
    const Both both(position, us, them);
    out.add(2 * kSecondSide, both.contact);
    out.add(2 * kSecondSide + 1, both.lead);
}

void encode_third(const Position& position, Inputs& out) {
    out.count = 0;
    Board us, them;
    fill(position.us, us);
    fill(position.them, them);
    encode_plain(position.us, us, 0, out);
    encode_plain(position.them, them, kPlain, out);
}

// What encode_plain makes of so many checkers: on a point, and borne off or in the hand.
constexpr int kMostCounted = 16;
constexpr auto kPointInputs = [] {
    std::array<std::array<float, 4>, kMostCounted> table = {};
    for (int count = 0; count < kMostCounted; ++count) {
        table[count] = {count == 1 ? 1.0f : 0.0f, count >= 2 ? 1.0f : 0.0f, count >= 3 ? 1.0f : 0.0f,
                        count > 3 ? static_cast<float>(count - 3) * 0.5f : 0.0f};
    }
    return table;
}();
constexpr auto kThirds = [] {
    std::array<std::array<float, 3>, kMostCounted> table = {};
    for (int count = 0; count < kMostCounted; ++count) {
        for (int third = 0; third < 3; ++third) table[count][third] = static_cast<float>(std::clamp(count - 5 * third, 0, 5)) * 0.2f;
    }
    return table;
}();

// Inputs of a point that are not what they were when so many checkers have become so many.
struct PointChange {
    int count = 0;
    std::uint8_t at[4] = {};
    float value[4] = {};
};
constexpr auto kPointChanges = [] {
    std::array<std::array<PointChange, kMostCounted>, kMostCounted> table = {};
    for (int before = 0; before < kMostCounted; ++before) {
        for (int after = 0; after < kMostCounted; ++after) {
            PointChange& change = table[before][after];
            for (int i = 0; i < 4; ++i) {
                if (kPointInputs[before][i] == kPointInputs[after][i]) continue;
                change.at[change.count] = static_cast<std::uint8_t>(i);
                change.value[change.count++] = kPointInputs[after][i];
            }
        }
    }
    return table;
}();

// The same numbers as encode_plain, place by place: only those whose counts differ are looked at.
void change_plain(const Side& from, const Side& to, int base, Inputs& out) {
    const auto thirds = [&](std::size_t before, std::size_t after, int at) {
        for (int i = 0; i < 3; ++i) out.change(at + i, kThirds[after][i], kThirds[before][i]);
    };
    std::uint64_t one[4], two[4];
    std::memcpy(one, &from, sizeof one);
    std::memcpy(two, &to, sizeof two);
    for (int word = 0; word < 4; ++word) {
        for (std::uint64_t left = one[word] ^ two[word]; left;) {
            const int shift = std::countr_zero(left) & ~7;
            left &= ~(std::uint64_t{0xFF} << shift);
            const int place = 8 * word + shift / 8;
            const auto before = std::min<std::size_t>(one[word] >> shift & 0xFF, kMostCounted - 1);
            const auto after = std::min<std::size_t>(two[word] >> shift & 0xFF, kMostCounted - 1);
            if (place == kOff) {
                thirds(before, after, base + 100);
            } else if (place == kHand) {
                thirds(before, after, base + 103);
            } else if (place <= kBar) {
                const PointChange& change = kPointChanges[before][after];
                for (int i = 0; i < 4; ++i) {  // all four are written, some of them for nothing
                    out.index[out.count + i] = static_cast<std::uint16_t>(base + (place - 1) * 4 + change.at[i]);
                    out.value[out.count + i] = change.value[i];
                }
                out.count += change.count;
            }
        }
    }
}

void change_second(const Position& from, const float* dense, const Position& to, Inputs& out) {
    out.count = 0;
    Board us, them;
    look(to, us, them);
    change_plain(from.us, to.us, 0, out);
    change_plain(from.them, to.them, kSecondSide, out);
    Measures ours, theirs;
    compute_more(to.us, us, them, compute(to.us, us, ours), ours);
    compute_more(to.them, them, us, compute(to.them, them, theirs), theirs);
    ours.change(dense, kPlain, out);
    theirs.change(dense, kSecondSide + kPlain, out);
    const Both both(to, us, them);
    out.change(2 * kSecondSide, both.contact, dense[2 * kSecondSide]);
    out.change(2 * kSecondSide + 1, both.lead, dense[2 * kSecondSide + 1]);
}

using Change = void (*)(const Position&, const float*, const Position&, Inputs&);

// The same for machines with more instructions, with all that it calls; nothing of it can be linked into other code.
#if defined(BARPOINT_X86) && defined(__GNUC__)
__attribute__((target("avx2,bmi,bmi2,popcnt"), flatten)) void change_second_sooner(const Position& from, const float* dense,
                                                                                const Position& to, Inputs& out) {
    change_second(from, dense, to, out);
}

Change fastest_change_second() {
    const bool newer = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                       __builtin_cpu_supports("popcnt");
    return newer && std::strcmp(kernel().isa, "baseline") != 0 ? change_second_sooner : change_second;
}
#else
Change fastest_change_second() { return change_second; }
#endif

void change_third(const Position& from, const float*, const Position& to, Inputs& out) {
    out.count = 0;
    change_plain(from.us, to.us, 0, out);
    change_plain(from.them, to.them, kPlain, out);
}


}  // namespace

const InputVersion* find_inputs(std::uint32_t id) {
    static const InputVersion versions[] = {
        {1, 2 * kFirstSide + 1, encode_first},
        {2, 2 * kSecondSide + 2, encode_second, fastest_change_second()},
        {3, 2 * kPlain, encode_third, change_third},
    };
    for (const InputVersion& version : versions) {
        if (version.id == id) return &version;
    }
    return nullptr;
}

}  // namespace barpoint
