#include "nets/inputs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "kernels/dispatch.hpp"
#include "nets/point_pairs.hpp"

namespace barpoint {
namespace {

constexpr float in_steps(int steps) { return static_cast<float>(steps) / kSteps; }

// Inputs of a count of checkers: on a point, and borne off or in the hand.
constexpr auto kPointInputs = [] {
    std::array<std::array<float, 4>, kMaxCounted> table = {};
    for (int count = 0; count < kMaxCounted; ++count) {
        table[count] = {count == 1 ? 1.0f : 0.0f, count >= 2 ? 1.0f : 0.0f, count >= 3 ? 1.0f : 0.0f,
                        count > 3 ? static_cast<float>(count - 3) * 0.5f : 0.0f};
    }
    return table;
}();
constexpr auto kThirds = [] {
    std::array<std::array<float, 3>, kMaxCounted> table = {};
    for (int count = 0; count < kMaxCounted; ++count) {
        for (int third = 0; third < 3; ++third) table[count][third] = in_steps((std::clamp(count - 5 * third, 0, 5) * kSteps + 2) / 5);
    }
    return table;
}();

// Inputs of a point that change when its count changes.
struct PointChange {
    int count = 0;
    std::uint8_t at[4] = {};
    float value[4] = {}, before[4] = {};
};
constexpr auto kPointChanges = [] {
    std::array<std::array<PointChange, kMaxCounted>, kMaxCounted> table = {};
    for (int before = 0; before < kMaxCounted; ++before) {
        for (int after = 0; after < kMaxCounted; ++after) {
            PointChange& change = table[before][after];
            for (int i = 0; i < 4; ++i) {
                if (kPointInputs[before][i] == kPointInputs[after][i]) continue;
                change.at[change.count] = static_cast<std::uint8_t>(i);
                change.before[change.count] = kPointInputs[before][i];
                change.value[change.count++] = kPointInputs[after][i];
            }
        }
    }
    return table;
}();

// The inputs of points whose counts differ; inputs of each side begin at its base.
void change_plain(const Position& from, const Position& to, const int (&base)[2], Inputs& out) {
    const auto *one = reinterpret_cast<const std::uint8_t*>(&from), *two = reinterpret_cast<const std::uint8_t*>(&to);
    out.count = 0;
    for (std::uint64_t left = differing(from, to); left; left &= left - 1) {
        const int byte = std::countr_zero(left), place = byte % 32, first = base[byte / 32];
        const int before = std::min<int>(one[byte], kMaxCounted - 1), after = std::min<int>(two[byte], kMaxCounted - 1);
        if (place == kOff || place == kHand) {
            const int at = first + (place == kOff ? 100 : 103);
            for (int i = 0; i < 3; ++i) out.add(at + i, kThirds[after][i], kThirds[before][i]);
            continue;
        }
        const PointChange& change = kPointChanges[before][after];
        for (int i = 0; i < 4; ++i) {  // all four are written, without a branch; count says how many matter
            out.index[out.count + i] = static_cast<std::uint16_t>(first + (place - 1) * 4 + change.at[i]);
            out.value[out.count + i] = change.value[i];
            out.before[out.count + i] = change.before[i];
        }
        out.count += change.count;
    }
}

// The inputs of pins that differ; those of the points 1 to 24 of each side begin at its base.
void change_pins(const Position& from, const Position& to, const std::array<int, 2>& base, Inputs& out) {
    const std::pair<std::uint32_t, std::uint32_t> pinned[] = {{from.us.pinned, to.us.pinned}, {from.them.pinned, to.them.pinned}};
    for (std::size_t side = 0; side < 2; ++side) {
        const auto [before, after] = pinned[side];
        for (std::uint32_t left = before ^ after; left; left &= left - 1) {
            const int point = std::countr_zero(left);
            out.index[out.count] = static_cast<std::uint16_t>(base[side] + point - 1);
            out.before[out.count] = static_cast<float>(before >> point & 1);
            out.value[out.count++] = static_cast<float>(after >> point & 1);
        }
    }
}

// The inputs of the dice that differ: from the base of each side on its plain rolls, then the row that it owes, one of `rows`.
void change_dice(const Position& from, const Position& to, const std::array<int, 2>& base, int rows, Inputs& out) {
    const std::pair<const Side*, const Side*> sides[] = {{&from.us, &to.us}, {&from.them, &to.them}};
    for (std::size_t side = 0; side < 2; ++side) {
        const auto [before, after] = sides[side];
        for (int i = 0; i < kMaxPlainRolls; ++i) out.add(base[side] + i, after->plain_rolls > i, before->plain_rolls > i);
        if (before->owed == after->owed) continue;
        const int first = base[side] + kMaxPlainRolls - 1;
        if (before->owed) out.add(first + std::min<int>(before->owed, rows), 0, 1);
        if (after->owed) out.add(first + std::min<int>(after->owed, rows), 1, 0);
    }
}

}  // namespace

void InputVersion::compare(const Position& from, const Position* positions, int count, InputBatch& out, bool chained) const {
    const int base[] = {0, side()};
    const auto reference = [&](int c) -> const Position& { return chained && c > 0 ? positions[c - 1] : from; };
    out.chained = chained;
    for (int c = 0; c < count; ++c) change_plain(reference(c), positions[c], base, out.changed[c]);
    if (pins_) {
        for (int c = 0; c < count; ++c) change_pins(reference(c), positions[c], {base[0] + kCountInputs, base[1] + kCountInputs}, out.changed[c]);
    }
    if (dice_) {
        const int at = kCountInputs + pins_;
        for (int c = 0; c < count; ++c) change_dice(reference(c), positions[c], {base[0] + at, base[1] + at}, kOwedInputs, out.changed[c]);
    }
    if (pairs_) {
        PointPairs other(from);
        for (int c = 0; c < count; ++c) {
            const PointPairs now(positions[c]);
            now.compare(other, out.flags[c]);
            if (chained) other = now;
        }
    }
    if (of_side_) kernel().compute_features(reinterpret_cast<const unsigned char*>(positions), count, interaction, out.features);
}

Inputs& InputVersion::add_features(InputBatch& batch, int number, const float* dense) const {
    Inputs& changed = batch.changed[number];
    for (const auto& [first, count, input] : blocks()) {
        for (int i = 0; i < count; i += 2) {
            const int word = batch.features[(first + i) / 2][number];
            changed.add(input + i, in_steps(static_cast<short>(word)), dense[input + i]);
            changed.add(input + i + 1, in_steps(word >> 16), dense[input + i + 1]);
        }
    }
    if (pairs_) {
        const Flags& flags = batch.flags[number];
        const auto add = [&](std::uint16_t flag, float value) {
            changed.index[changed.count] = static_cast<std::uint16_t>(flags_from() + flag);
            changed.value[changed.count++] = value;
        };
        for (int k = 0; k < flags.on; ++k) add(flags.now_on[k], 1.0f);
        for (int k = 0; k < flags.off; ++k) add(flags.now_off[k], 0.0f);
    }
    return changed;
}

double InputVersion::max_sum(const float* weights, std::size_t apart) const {
    constexpr int kCheckers = kMaxCounted - 1, kMaxFeature = 6;
    const auto size = [&](int input) -> double { return std::fabs(weights[static_cast<std::size_t>(input) * apart]); };
    double sum = 0;
    for (int first : {0, side()}) {
        double dearest = 0;  // of a checker
        for (int at = first; at < first + 100; at += 4) {
            const double shared = size(at + 1) / 2 + size(at + 2) / 3 + size(at + 3) * kPointInputs[kCheckers][3] / kCheckers;
            dearest = std::max({dearest, size(at), shared});
        }
        sum += kCheckers * dearest;
        for (int at = first + 100; at < first + counted() - (dice_ ? kOwedInputs : 0); ++at) sum += size(at);
        double most_owed = 0;  // a side owes one row at most
        for (int at = first + counted() - (dice_ ? kOwedInputs : 0); at < first + counted(); ++at) most_owed = std::max(most_owed, size(at));
        sum += most_owed;
        for (int at = first + counted(); at < first + side(); ++at) sum += kMaxFeature * size(at);
    }
    for (int at = 2 * side(); at < flags_from(); ++at) sum += kMaxFeature * size(at);
    for (int at = flags_from(); at < this->size(); ++at) sum += size(at);
    return sum;
}

void InputVersion::encode(const Position* positions, int count, Inputs* out) const {
    static constexpr Position kEmpty;
    static constexpr float kNothing[kMaxInputs] = {};
    InputBatch batch;
    for (int done = 0; done < count; done += InputBatch::kMax) {
        const int now = std::min(count - done, InputBatch::kMax);
        compare(kEmpty, positions + done, now, batch);
        for (int c = 0; c < now; ++c) {
            const Inputs& seen = add_features(batch, c, kNothing);
            Inputs& to = out[done + c];
            to.count = seen.count;
            std::copy_n(seen.index, seen.count, to.index);
            std::copy_n(seen.value, seen.count, to.value);
        }
    }
}

namespace {

constexpr InputVersion kVersions[] = {
    {kHitInputs, Interaction::hits, kSideFeatures, kSharedFeatures},
    {kPlainInputs, Interaction::hits, 0, 0},
    {6, Interaction::pins, kSideFeatures, kSharedFeatures},
    {7, Interaction::blocks, kSideFeatures, kSharedFeatures},
    {kPairInputs, Interaction::hits, kSideFeatures, kSharedFeatures, 2 * PointPairs::kInputs},
    {9, Interaction::walls, kSideFeatures, kSharedFeatures},
    {10, Interaction::hits, kSideFeatures, kSharedFeatures, 0, true},
    {11, Interaction::pins, kSideFeatures, kSharedFeatures, 0, true},
    {12, Interaction::blocks, kSideFeatures, kSharedFeatures, 0, true},
    {13, Interaction::walls, kSideFeatures, kSharedFeatures, 0, true},
    {14, Interaction::chases, kSideFeatures, kSharedFeatures},
    {15, Interaction::chases, kSideFeatures, kSharedFeatures, 0, true},
};

Interaction interaction_of(const Rules& rules) {
    if (rules.meeting == Meeting::far_corner && rules.capture == Capture::none) return Interaction::blocks;
    if (rules.meeting == Meeting::same && rules.capture == Capture::hit) return Interaction::chases;
    if (rules.meeting != Meeting::opposite || rules.capture == Capture::hit) return Interaction::hits;
    return rules.capture == Capture::pin ? Interaction::pins : Interaction::walls;
}

}  // namespace

const InputVersion* find_inputs(std::uint32_t id) {
    const auto found = std::find_if(std::begin(kVersions), std::end(kVersions), [&](const InputVersion& version) { return version.id == id; });
    return found == std::end(kVersions) ? nullptr : found;
}

std::uint32_t inputs_for(const Rules& rules) {
    const Interaction interaction = interaction_of(rules);
    return std::find_if(std::begin(kVersions), std::end(kVersions), [&](const InputVersion& version) {
               return !version.plain() && version.fits(interaction, rules.has_next);
           })->id;
}

}  // namespace barpoint
