// The inputs of a net: a versioned list of numbers for a position, most of them zero.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/features.hpp"
#include "kernels/kernel.hpp"
#include "rules/position.hpp"
#include "rules/rules.hpp"

namespace barpoint {

inline constexpr int kMaxInputs = 1280;  // a bound of buffers: the largest version has 1198 (InputVersion::size)
inline constexpr int kMaxCounted = 16;  // counts on one point that are told apart, 0 to 15

// The non-zero inputs of one position; values are multiples of 1 / kSteps.
struct Inputs {
    int count = 0;
    std::uint16_t index[kMaxInputs];
    float value[kMaxInputs];
    float before[kMaxInputs];  // what it was; of inputs that InputVersion::compare found

    // Without a branch: it would often be mispredicted.
    void add(int at, float what, float was = 0.0f) {
        index[count] = static_cast<std::uint16_t>(at);
        value[count] = what;
        before[count] = was;
        count += what != was;
    }
};

// Inputs of several positions, compared with one that they differ little from.
struct InputBatch {
    static constexpr int kMax = kBatchPositions;
    bool chained;               // each but the first is compared with the position before it
    Inputs changed[kMax];       // inputs of points whose counts differ
    FeatureBatch features;      // all computed features
    Flags flags[kMax];    // pairs of points that differ
};

// A version of the inputs. A net names the one it was trained with; a version never changes once a net uses it.
// Each side has a block of inputs: checker counts by point, where it is pinned, what its dice still have to do, then its features. Features of both sides follow, and
// last its pairs of points, where it has them.
class InputVersion {
  public:
    // That many features of each side and of both, and that many pairs of points.
    constexpr InputVersion(std::uint32_t id, Interaction interaction, int of_side, int of_both, int pairs = 0, bool dice = false)
        : id(id), interaction(interaction), pins_(interaction == Interaction::pins ? 24 : 0), dice_(dice ? kDiceInputs : 0), of_side_(of_side),
          of_both_(of_both), pairs_(pairs) {}

    std::uint32_t id;
    Interaction interaction;  // that it is made for
    constexpr int size() const { return flags_from() + pairs_; }
    // The first input that is a pair of points, 0 or 1.
    constexpr int flags_from() const { return 2 * side() + of_both_; }
    // It sees checker counts alone, so each point contributes to the sums by itself.
    constexpr bool plain() const { return of_side_ + of_both_ == 0; }
    // Features, from `first` on, that are the inputs from `input` on; all three are even.
    struct Block {
        int first, count, input;
    };
    constexpr std::array<Block, 3> blocks() const {
        return {{{0, of_side_, counted()}, {kSideFeatures, of_side_, side() + counted()}, {2 * kSideFeatures, of_both_, 2 * side()}}};
    }

    // It sees these meetings of checkers; dice: and what the dice still have to do.
    bool fits(Interaction met, bool dice) const { return interaction == met && (dice_ > 0) == dice; }
    bool fits(const InputVersion& other) const { return fits(other.interaction, other.dice_ > 0); }

    // The sides can still get in each other's way.
    bool contact(const Position& position) const {
        switch (interaction) {
            case Interaction::hits:
            case Interaction::walls: break;
            case Interaction::pins: return position.contact() || position.us.pinned || position.them.pinned;
            case Interaction::blocks: return std::max(position.us.rear(), position.them.rear()) > 12;
            case Interaction::chases: return true;
        }
        return position.contact();
    }
    // Of `count` positions, InputBatch::kMax at most, what differs in `from`; if chained, in the position before, of all but the first.
    void compare(const Position& from, const Position* positions, int count, InputBatch& out, bool chained = false) const;
    // The inputs of each of `count` positions.
    void encode(const Position* positions, int count, Inputs* out) const;
    // An upper bound of |weights . inputs| over all positions; weights [size] are `apart` floats from each other.
    double max_sum(const float* weights, std::size_t apart) const;
    // Adds to the changed inputs of one position the features that differ from `dense` [size], zeros included, and the pairs of points.
    Inputs& add_features(InputBatch& batch, int number, const float* dense) const;

  private:
    static constexpr int kCountInputs = 25 * 4 + 3 + 3;  // points and bar, borne off, hand
    static constexpr int kOwedInputs = 23;               // a row of the dice each; those of later rows share the last one
    static constexpr int kDiceInputs = kOwedInputs + kMaxPlainRolls;

    constexpr int counted() const { return kCountInputs + pins_ + dice_; }
    constexpr int side() const { return counted() + of_side_; }

    // Number of points on which a pin is an input; of inputs of the dice; of features that are used; of pairs of points.
    int pins_, dice_, of_side_, of_both_, pairs_;
};

// The version of that number; nullptr when there is none.
const InputVersion* find_inputs(std::uint32_t id);

// The version for new nets of these rules: the one whose features see how their checkers meet, where there is one.
std::uint32_t inputs_for(const Rules& rules);

inline constexpr std::uint32_t kHitInputs = 4;    // for games in which checkers are hit
inline constexpr std::uint32_t kPlainInputs = 5;  // checker counts alone, for pruning nets
inline constexpr std::uint32_t kPairInputs = 8;   // those for games in which checkers are hit, and pairs of points

}  // namespace barpoint
