// Compiled once for each instruction set, with -DBARPOINT_KERNEL=its name: each lane of a register looks at a position of
// its own. Without the options that let sums and quotients of floats come out otherwise on another machine.
#include "kernels/features.hpp"

#include <string.h>

#if defined(__GNUC__) && defined(__AVX2__)
#include <immintrin.h>
#endif

#include "kernels/lanes.hpp"

namespace barpoint {
namespace {

// ---------------------------------------------------------------- one number of each position
#if defined(__GNUC__)
typedef int Words __attribute__((vector_size(kLanes * sizeof(int))));
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float))));

inline Lanes as_floats(Words whole) { return __builtin_convertvector(whole, Lanes); }
inline Words whole_of(Lanes x) { return __builtin_convertvector(x, Words); }  // rounded towards 0
// -1, all bits, where it holds; else 0.
inline Words over(Words a, Words b) { return a > b; }
inline Words same(Words a, Words b) { return a == b; }
#else
typedef int Words;
typedef float Lanes;

inline Lanes as_floats(Words whole) { return static_cast<float>(whole); }
inline Words whole_of(Lanes x) { return static_cast<int>(x); }
inline Words over(Words a, Words b) { return -(a > b); }
inline Words same(Words a, Words b) { return -(a == b); }
#endif

inline Words all(int value) { return Words{} + value; }
inline Words set(Words a) { return ~same(a, Words{}); }
inline Words choose(Words where, Words yes, Words no) { return (where & yes) | (~where & no); }
inline Words larger(Words a, Words b) { return choose(over(a, b), a, b); }
inline Words smaller(Words a, Words b) { return choose(over(a, b), b, a); }

// The four bytes of each lane that begin so far behind `from`.
inline Words fetch(const unsigned char* from, Words offset) {
#if defined(__GNUC__) && defined(__AVX512F__)
    return reinterpret_cast<Words>(_mm512_i32gather_epi32(reinterpret_cast<__m512i>(offset), from, 1));
#elif defined(__GNUC__) && defined(__AVX2__)
    return reinterpret_cast<Words>(_mm256_i32gather_epi32(reinterpret_cast<const int*>(from), reinterpret_cast<__m256i>(offset), 1));
#else
    int offsets[kLanes], words[kLanes];
    memcpy(offsets, &offset, sizeof offset);
    for (int i = 0; i < kLanes; ++i) memcpy(&words[i], from + offsets[i], sizeof words[i]);
    Words out;
    memcpy(&out, words, sizeof out);
    return out;
#endif
}

inline bool any(Words mask) {
#if defined(__GNUC__) && defined(__AVX512F__)
    return _mm512_test_epi32_mask(reinterpret_cast<__m512i>(mask), reinterpret_cast<__m512i>(mask)) != 0;
#elif defined(__GNUC__) && defined(__AVX2__)
    return !_mm256_testz_si256(reinterpret_cast<__m256i>(mask), reinterpret_cast<__m256i>(mask));
#else
    int words[kLanes], found = 0;
    memcpy(words, &mask, sizeof mask);
    for (int i = 0; i < kLanes; ++i) found |= words[i];
    return found != 0;
#endif
}

inline Words count_bits(Words bits) {
    bits -= (bits >> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >> 2) & 0x33333333);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F;
    bits += bits >> 8;
    return (bits + (bits >> 16)) & 0x3F;
}

// The number of the highest bit set, by the exponent of a float; some bit below 27 is.
inline Words highest(Words bits) {
    const Lanes rounded_down = as_floats(bits & ~(bits >> 1));
    Words exponent;
    memcpy(&exponent, &rounded_down, sizeof exponent);
    return (exponent >> 23) - 127;
}

// The same points in the other side's numbers: bit p becomes bit 25 - p.
inline Words reversed(Words bits) {
    bits = ((bits >> 16) & 0xFFFF) | ((bits & 0xFFFF) << 16);
    bits = ((bits >> 8) & 0x00FF00FF) | ((bits & 0x00FF00FF) << 8);
    bits = ((bits >> 4) & 0x0F0F0F0F) | ((bits & 0x0F0F0F0F) << 4);
    bits = ((bits >> 2) & 0x33333333) | ((bits & 0x33333333) << 2);
    bits = ((bits >> 1) & 0x55555555) | ((bits & 0x55555555) << 1);
    return (bits >> 6) & 0x03FFFFFF;
}

// The same points in the other side's numbers, from the far corner: p becomes p + 12 or p - 12.
inline Words rotated(Words bits) { return ((bits << 12) | (bits >> 12)) & 0x01FFFFFE; }

template <Interaction kind>
inline Words across(Words bits) {
    if (kind == Interaction::chases) return bits;
    return kind == Interaction::blocks ? rotated(bits) : reversed(bits);
}

// ---------------------------------------------------------------- what stands where
constexpr int kBar = 25;
constexpr int kSideBytes = 32, kPinnedAt = 28;
constexpr int kPoints = 0x01FFFFFE;  // own points 1..24
constexpr int kHome = 0x7E, kFarHome = 0x01F80000;

// One side, in its own numbers.
struct Board {
    Words count[kBar + 1];   // on each point; 0 borne off, 25 the bar
    Words hand;
    Words held, movable;      // own points with a checker, with one that is not pinned; where sides chase each other, the hand as bit 25
    Words made, blots;        // own points that are closed to the other side; single checkers that it can hit or pin
    Words pinned;
    Words rear;               // own rearmost point, 25 for bar and hand
    Words behind[kBar + 2];  // checkers on the board on each point or behind it
    Words pips;               // sums of those, and 25 for each in the hand
    Words blocked, targets;   // points that the other side closes, and its blots
    Words enemy_rear;         // in its own numbers
    Words front;              // of all points with a checker of the other side the lowest: behind it there is nothing more to pass
};

template <Interaction kind>
inline void fill(const unsigned char* side, Words stride, Board& b) {
    b.held = b.made = b.pinned = Words{};
    for (int word = 0; word < 7; ++word) {
        const Words four = fetch(side + 4 * word, stride);
        for (int byte = 0; byte < 4 && 4 * word + byte <= kBar + 1; ++byte) {
            const int place = 4 * word + byte;
            const Words here = (four >> (8 * byte)) & 0xFF;
            if (place > kBar) {
                b.hand = here;
                continue;
            }
            b.count[place] = here;
            if (place == 0 || place == kBar) continue;
            b.held |= over(here, all(0)) & (1 << place);
            b.made |= over(here, all(1)) & (1 << place);
        }
    }
    if (kind == Interaction::blocks || kind == Interaction::walls) b.made = b.held;
    if (kind == Interaction::pins) b.pinned = fetch(side + kPinnedAt, stride);
    b.movable = b.held & ~b.pinned;
    b.rear = choose(set(b.count[kBar] | b.hand), all(kBar), highest(b.held | 1));
    b.pips = kBar * b.hand;
    b.behind[kBar + 1] = Words{};
    for (int place = kBar; place > 0; --place) b.pips += b.behind[place] = b.behind[place + 1] + b.count[place];
}

// A point on which it pins is closed as well.
inline void close_pins(Board& one, const Board& other) { one.made |= reversed(other.pinned); }

template <Interaction kind>
inline void meet(Board& one, const Board& other) {
    one.blots = one.movable & ~one.made;
    one.blocked = across<kind>(other.made);
    one.targets = across<kind>(other.movable & ~other.made);
    one.enemy_rear = other.rear;
    one.front = kBar - other.rear;
    if (kind == Interaction::blocks || kind == Interaction::chases) {
        const Words theirs = across<kind>(other.held);
        one.front = choose(set(theirs), highest((theirs & -theirs) | 1), all(kBar));
    }
}

// Checkers in the hand move like one on the bar, once it is known what the other side can hit.
inline void enter_hand(Board& one) { one.movable |= set(one.hand) & (1 << kBar); }

// ---------------------------------------------------------------- what follows from it
struct Shots {
    Words one = {}, two = {};  // rolls of 36 that hit at least one, at least two of the targets
    Words loss_pips = {};      // what the dearest hit of each roll costs the other side, or how far back it pins, summed over 36 rolls
};

template <Interaction kind>
inline Shots count_shots(const Board& b) {
    Shots shots;
    if (!any(b.targets)) return shots;
    const Words open = ~b.blocked & kPoints;
    const Words on_bar = set(b.count[kBar]), one_on_bar = same(b.count[kBar], all(1)), two_moves = ~over(b.count[kBar], all(1));
    Words first[7], second[7];  // where a number can be played to as the first, and as the second when one checker has entered
    for (int die = 1; die <= 6; ++die) {
        const Words step = (b.movable >> die) & open, entry = open & (1 << (kBar - die));
        first[die] = choose(on_bar, entry, step);
        second[die] = one_on_bar & step;
    }
    const auto note = [&](Words hits, int weight) {
        hits &= b.targets;  // none is bit 0
        shots.one += set(hits) & weight;
        shots.two += set(hits & (hits - 1)) & weight;
        constexpr bool kFromStart = kind == Interaction::pins || kind == Interaction::chases;  // the dearest is the nearest to our start
        shots.loss_pips += weight * (kFromStart ? set(hits) & (kBar - highest((hits & -hits) | 1)) : highest(hits | 1));
    };
    for (int high = 1; high <= 6; ++high) {
        for (int low = 1; low < high; ++low) {
            const Words both = (first[high] >> low) | (first[low] >> high);
            note(first[high] | first[low] | (two_moves & both) | (set(first[high]) & second[low]) | (set(first[low]) & second[high]), 2);
        }
        Words at = b.movable | (on_bar & first[high]);
        Words hits = on_bar & first[high];
        for (int move = 1; move <= 4; ++move) {
            at = (at >> high) & open;
            hits |= at & ~over(b.count[kBar] + move, all(4));
        }
        note(hits & (~on_bar | set(first[high])), 1);
    }
    return shots;
}

// Escapes by which of the twelve points ahead are closed: bit 12 - d for the one d ahead.
struct Escapes {
    unsigned char rolls[4096 + 3] = {};  // fetch() reads beyond

    constexpr Escapes() {
        for (int closed = 0; closed < 4096; ++closed) {
            const auto open = [&](int ahead) { return !((closed >> (12 - ahead)) & 1); };
            for (int high = 1; high <= 6; ++high) {
                if (open(high) && open(2 * high)) ++rolls[closed];
                for (int low = 1; low < high; ++low) {
                    if ((open(high) || open(low)) && open(high + low)) rolls[closed] += 2;
                }
            }
        }
    }
};
constexpr Escapes kEscapes;

// So many points ahead of one: bit `count` - d for the one d ahead.
inline Words ahead_of(Words points, Words from, int count) {
    const Words past = from - count, none = all(0);
    return choose(over(past, all(-1)), points >> larger(past, none), points << larger(-past, none)) & ((1 << count) - 1);
}

// How many of 36 rolls let a checker on the point move both numbers (two of a double).
inline Words count_escapes(Words blocked, Words from) { return fetch(kEscapes.rolls, ahead_of(blocked, from, 12)) & 0xFF; }

// The longest row of own made points that the other side's rearmost checker has yet to pass. closed: those points in its numbers.
inline Words longest_prime(Words closed, Words rear) {
    Words run = closed & ((all(1) << rear) - 1), length = {};
    for (; any(run); run &= run >> 1) length -= set(run);
    return length;
}

// The most points made of six in a row: how many of each six, bit by bit of that number, for all of them at once.
inline Words broadest(Words made) {
    Words ones = {}, twos = {}, fours = {};
    for (int i = 0; i < 6; ++i) {
        const Words next = made >> i, carry = ones & next, more = twos & carry;
        ones ^= next;
        twos ^= carry;
        fours |= more;
    }
    Words left = all(((1 << 20) - 1) & ~1), most = {};  // sixes that begin on point 1 to 19
    const auto digit = [&](Words bits, int weight) {
        const Words those = left & bits;
        most += set(those) & weight;
        left = choose(set(those), those, left);
    };
    digit(fours, 4);
    digit(twos, 2);
    digit(ones, 1);
    return most;
}

// How well own points hold checkers of the other side that stand on own point 9 or behind: the fewest rolls of 36 that
// take one out of there, from `rear` on and from any point. closed: own points that are made, in its numbers.
inline void fewest_escapes(Words closed, Words rear, Words& from_rear, Words& from_any) {
    from_any = from_rear = all(36);
    for (int point = 9; point >= 0; --point) {
        from_any = smaller(from_any, count_escapes(closed, all(kBar - point)));
        from_rear = choose(same(rear, all(point)), from_any, from_rear);
    }
}

// A number of units, each so many to 1, in steps.
inline Words steps(Words count, float unit) { return whole_of(as_floats(count) * (kSteps / unit) + 0.5f); }
inline Words steps(Words count, Words unit) { return whole_of(as_floats(count * kSteps) / as_floats(unit) + 0.5f); }

// Words of one side or of both, one after the other.
class Writer {
  public:
    explicit Writer(int (*out)[kBatchPositions]) : out_(out) {}

    void add(Words first, Words second) {
        const Words both = (first & 0xFFFF) | second << 16;
        memcpy(*out_++, &both, sizeof both);
    }

  private:
    int (*out_)[kBatchPositions];
};

template <Interaction kind>
void side_features(const Board& b, const Board& other, Writer out) {
    constexpr int kEscapesFrom = kind == Interaction::hits ? 13 : 7;
    const Words front = b.front, none = all(0);
    const Words in_reach = kind == Interaction::chases ? (all(1) << b.enemy_rear) - 1 : all(-1) << larger(front, none);  // of the other side
    Words contact_pips = {}, home_pips = {}, far_pips = {}, spare = {};
    for (int place = kBar; place > 0; --place) {
        contact_pips += over(all(place), front) & b.behind[place];
        if (place > 6) home_pips += b.behind[place];
        if (place > 18) far_pips += b.behind[place];
        spare += larger(b.count[place] - 3, none);
    }
    const Words back = b.behind[19], off = set(b.count[0]), in_home = ~over(b.rear, all(6));
    const Shots shots = count_shots<kind>(b);
    const Words closed = count_bits((b.blocked >> 19) & 0x3F), others = b.held & ~(all(1) << b.rear) & kFarHome;
    Words direct = {};  // numbers that hit at once
    for (int die = 1; die <= 6; ++die) direct -= set((b.movable >> die) & b.targets);
    const auto playable = [&](int die) {
        return steps(count_bits((b.movable >> die) & ~b.blocked & kPoints), larger(count_bits(b.held), all(1)));
    };
    Words escapes = {};
    for (int place = kEscapesFrom; place <= kBar; ++place) {
        if (any(b.count[place])) escapes += b.count[place] * count_escapes(b.blocked, all(place));
    }
    const Words beyond = b.behind[kEscapesFrom], some = set(beyond);
    Words from_rear, from_any;
    fewest_escapes(other.blocked, smaller(larger(kBar - b.enemy_rear, none), all(9)), from_rear, from_any);
    const Words kept = 36 - from_rear;
    const Words on_board = b.behind[1], pips = b.pips - kBar * b.hand;
    const Words mean = whole_of(as_floats(pips) / as_floats(larger(on_board, all(1))));
    Words spread_pips = {}, crossovers = {};
    for (int place = 1; place <= kBar; ++place) {
        const Words away = place - mean;  // squares as sums of odd numbers
        spread_pips += over(away, none) & ((2 * away - 1) * b.behind[place]);
        if (place % 6 == 1) crossovers += b.behind[place];
    }

    out.add(steps(b.pips, 150), steps(b.pips - far_pips - 18 * back, 100));
    out.add(steps(contact_pips, 100), steps(count_bits(b.blots & in_reach), 4));
    out.add(steps(count_bits(b.made & kHome), 6), steps(spare, 5));
    out.add(steps(closed * closed, 36), steps(count_bits(ahead_of(b.blocked, b.rear, 6)), 6));
    out.add(kind == Interaction::pins ? steps(highest(b.pinned | 1), kBar) : steps(set(b.count[kBar]) & (closed * closed), 36),
            steps(choose(set(others), count_escapes(b.blocked, highest(others | 1)), all(36)), 36));
    out.add(steps(shots.one, 36), steps(shots.loss_pips, 360));
    out.add(steps(shots.two, 18), steps(direct, 6));
    out.add(steps(choose(set(b.rear), count_escapes(b.blocked, b.rear), all(36)), 36),
            steps(choose(some, escapes, all(1)), choose(some, 36 * beyond, all(1))));
    out.add(steps(longest_prime(other.blocked, b.enemy_rear), 6), steps(in_home & (3 - count_bits(b.held & 0x70)), 3));
    out.add(playable(4), playable(5));
    out.add(playable(6), steps(crossovers, 30));
    out.add(steps(b.count[1] + b.count[2], 5), steps(count_bits(b.blots & kHome), 3));
    out.add(steps(count_bits(b.made & kFarHome), 2), steps(back, 5));
    out.add(steps(far_pips, 20), steps(b.rear, 25));
    out.add(~off & kSteps, in_home & kSteps);
    out.add(steps(~off & home_pips, 60), steps(spread_pips, 1000));
    out.add(steps(kept, 36), steps(kept * kept, 36 * 36));
    out.add(steps(36 - from_any, 36), steps(broadest(b.made), 6));
}

// One side or the other still has a checker of the other to pass.
template <Interaction kind>
inline Words in_contact(const Board& b, const Board& other) {
    switch (kind) {
        case Interaction::hits:
        case Interaction::walls: return over(b.rear + other.rear, all(kBar));
        case Interaction::pins: return over(b.rear + other.rear + (set(b.pinned | other.pinned) & 1), all(kBar));
        case Interaction::blocks: return over(b.rear, b.front) | over(other.rear, other.front);
        case Interaction::chases: return all(-1);
    }
}

template <Interaction kind>
void compute(const unsigned char* positions, int count, FeatureBatch& out) {
    for (int from = 0; from < count; from += kLanes) {
        int offsets[kLanes];
        for (int i = 0; i < kLanes; ++i) offsets[i] = 2 * kSideBytes * (from + i < count ? from + i : from);
        Words stride;
        memcpy(&stride, offsets, sizeof stride);
        Board us, them;
        fill<kind>(positions, stride, us);
        fill<kind>(positions + kSideBytes, stride, them);
        if (kind == Interaction::pins) {
            close_pins(us, them);
            close_pins(them, us);
        }
        meet<kind>(us, them);
        meet<kind>(them, us);
        if (kind == Interaction::chases) {
            enter_hand(us);
            enter_hand(them);
        }
        const auto lanes = [&](int first) { return reinterpret_cast<int(*)[kBatchPositions]>(&out[first / 2][from]); };
        side_features<kind>(us, them, Writer(lanes(0)));
        side_features<kind>(them, us, Writer(lanes(kSideFeatures)));
        const Words lead = larger(smaller(them.pips - us.pips, all(50)), all(-50));
        Writer(lanes(2 * kSideFeatures)).add(in_contact<kind>(us, them) & kSteps, steps(lead + 50, 50) - kSteps);
    }
}

}  // namespace

void BARPOINT_NAME(features_, BARPOINT_KERNEL)(const unsigned char* positions, int count, Interaction interaction, FeatureBatch& out) {
    switch (interaction) {
        case Interaction::hits: return compute<Interaction::hits>(positions, count, out);
        case Interaction::pins: return compute<Interaction::pins>(positions, count, out);
        case Interaction::blocks: return compute<Interaction::blocks>(positions, count, out);
        case Interaction::walls: return compute<Interaction::walls>(positions, count, out);
        case Interaction::chases: return compute<Interaction::chases>(positions, count, out);
    }
}

}  // namespace barpoint
