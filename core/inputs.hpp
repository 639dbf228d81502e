// What a net sees of a position: a versioned list of numbers, most of them zero.
#pragma once

#include <cstdint>

#include "position.hpp"

namespace barpoint {

inline constexpr int kMostInputs = 512;

// The inputs of one position that are not zero.
struct Inputs {
    int count = 0;
    std::uint16_t index[kMostInputs];
    float value[kMostInputs];

    void add(int at, float what) {  // without a branch, which would often be guessed wrongly
        index[count] = static_cast<std::uint16_t>(at);
        value[count] = what;
        count += what != 0.0f;
    }
    void change(int at, float what, float before) {
        index[count] = static_cast<std::uint16_t>(at);
        value[count] = what;
        count += what != before;
    }
};

// A version of the inputs. A net names the one it was trained with; a version never changes once a net uses it.
struct InputVersion {
    std::uint32_t id;
    int size;
    void (*encode)(const Position& position, Inputs& out);
    // The inputs of `to` that are not as those of `from`, which are given once more as [size]; 0 is written down too.
    // nullptr where that costs no less than encoding.
    void (*change)(const Position& from, const float* dense, const Position& to, Inputs& out) = nullptr;
};

// The version of that number; nullptr when there is none. Every version assumes sides that travel in opposite
// directions and hit blots.
const InputVersion* find_inputs(std::uint32_t id);

inline constexpr std::uint32_t kNewestInputs = 2;
inline constexpr std::uint32_t kPlainInputs = 3;  // nothing computed: what nets that prune see

}  // namespace barpoint
