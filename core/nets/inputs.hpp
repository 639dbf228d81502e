// What a net sees of a position: a versioned list of numbers, most of them zero.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/features.hpp"
#include "rules/position.hpp"

namespace barpoint {

inline constexpr int kMaxInputs = 512;
inline constexpr int kMaxCounted = 16;  // so many different counts on one place are told apart, 0 among them

// The inputs of one position that are not zero, each a number of steps.
struct Inputs {
    int count = 0;
    std::uint16_t index[kMaxInputs];
    float value[kMaxInputs];

    // Without a branch, which would often be guessed wrongly.
    void add(int at, float what, float before = 0.0f) {
        index[count] = static_cast<std::uint16_t>(at);
        value[count] = what;
        count += what != before;
    }
};

// What is seen of several positions beside one that they differ little from.
struct Glance {
    static constexpr int kMost = kMeasuredTogether;
    Inputs changed[kMost];  // what stands elsewhere, as inputs
    Measures measures;      // all that is computed
};

// A version of the inputs. A net names the one it was trained with; a version never changes once a net uses it.
// One side takes a block of inputs: what stands where, then so many of its measures; last stand those of both sides.
class InputVersion {
  public:
    constexpr InputVersion(std::uint32_t id, int of_side, int of_both) : id(id), of_side_(of_side), of_both_(of_both) {}

    std::uint32_t id;
    constexpr int size() const { return 2 * side() + of_both_; }
    // It sees nothing but what stands where, and no place changes what another one means.
    constexpr bool plain() const { return of_side_ + of_both_ == 0; }
    // Measures, from `first` on, that are the inputs from `input` on; all three are even.
    struct Block {
        int first, count, input;
    };
    constexpr std::array<Block, 3> blocks() const {
        return {{{0, of_side_, kPlain}, {kSideMeasures, of_side_, side() + kPlain}, {2 * kSideMeasures, of_both_, 2 * side()}}};
    }

    // Of `count` positions, Glance::kMost at most.
    void look(const Position& from, const Position* positions, int count, Glance& out) const;
    // The inputs of each of so many.
    void encode(const Position* positions, int count, Inputs* out) const;
    // Weights [size] of its inputs, so far apart, times inputs never add up to more than this either way.
    double most(const float* weights, std::size_t apart) const;
    // Adds to what has changed in one of those looked at the measures that are not as `dense`, [size], has them; 0 is
    // written down too.
    Inputs& change(Glance& glance, int number, const float* dense) const;

  private:
    static constexpr int kPlain = 25 * 4 + 3 + 3;  // points and bar, borne off, hand

    constexpr int side() const { return kPlain + of_side_; }

    int of_side_, of_both_;  // how many of the measures
};

// The version of that number; nullptr when there is none. Every version assumes sides that travel in opposite
// directions and hit blots.
const InputVersion* find_inputs(std::uint32_t id);

inline constexpr std::uint32_t kNewestInputs = 4;
inline constexpr std::uint32_t kPlainInputs = 5;  // nothing computed: what nets that prune see

}  // namespace barpoint
