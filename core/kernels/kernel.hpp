// The arithmetic of a net, one table of functions for each instruction set. Nothing here may include a header with
// inline functions: a copy compiled for a newer machine could be linked into code that runs on an older one.
#pragma once

#include "kernels/features.hpp"

namespace barpoint {

// The int16 first layer is stored in blocks of units, [blocks][pairs of rows][block][2], the last one narrower where need
// be: a block that many positions use stays in the cache. Inputs come in pairs too, the first in the lower half of a word.
// The unit of the sums is 1 / (kSteps * kWeightSteps). Sizes: benchmarks/results.md, "Tried and reverted".
inline constexpr int kBlock = 128;
inline constexpr int kMaxWidth = 1024;
inline constexpr int kWeightSteps = 1024;
inline constexpr int kMaxPairs = 256;
struct Pairs {
    int count = 0;
    unsigned short pair[kMaxPairs];
    int word[kMaxPairs];
};
// Inputs of 0 or 1, flags, are stored by themselves, [flags][width]. Those of one position that differ, by number: that are 1 now, and that were.
inline constexpr int kMaxFlags = 912;
struct Flags {
    int on = 0, off = 0;
    unsigned short now_on[kMaxFlags + 1], now_off[kMaxFlags + 1];  // one more, so that either can be written beyond its end
};
struct FirstLayer {
    const short* pairs;  // weights
    int rows;            // pairs of inputs
    const short* flags;  // weights of flags, if there are any
    int together;        // 16 bits hold the sum of so many of them
};

// Activation of the first layer: 0 for sums below -kActivationRange, 1 above kActivationRange, two parabolas between
// (docs/decisions/0008), in steps of 1 / kActivationSteps. int16 activations are centred at 1/2, and 16 bits hold the sums.
inline constexpr int kActivationRange = 4;
inline constexpr int kShift = 8;
static_assert(kActivationRange * kSteps * kWeightSteps >> kShift == 1 << 15);
inline constexpr int kActivationSteps = 2048;

// All widths are multiples of 16; pointers need no alignment.
struct Int16Kernel {
    // count is kBatchPositions at most.
    // out[width] = start + the sums of `pairs` and `flags`. hidden_pairs: the activations of such sums, for each of `count` positions; if
    // chained, all but the first start from the sums of the one before.
    void (*gather_pairs)(const FirstLayer& layer, const int* start, int width, const Pairs& pairs, const Flags& flags, int* out);
    void (*hidden_pairs)(const FirstLayer& layer, const int* start, int width, const Pairs* pairs, const Flags* flags, int count, bool chained,
                         short* out);
    // Appends to out[c], for c < count, the words of so many rows from `row` on that are not 0: those of as many pairs of inputs from `pair` on.
    void (*append)(const FeatureBatch& words, int row, int rows, int pair, int count, Pairs* out);
    // out[c][r] = weights[r] . in[c]; weights is [width / 2][rows][2]
    void (*products_pairs)(const short* weights, int rows, int width, const short* in, int count, int* out);
    // The same, from the products of `base`, known [rows]: faster where in [count][width] differs from base in few units.
    void (*products_beside)(const short* weights, int rows, int width, const short* base, const int* known, const short* in,
                            int count, int* out);
    // values[n]: first-layer sums -> activations, in floats
    void (*activate)(float* values, int n);
};

struct Kernel {
    const char* isa;
    // out[width] = start + sum over k < count of value[k] * weights[index[k]]; start and out may be the same
    void (*gather)(const float* weights, const float* start, int width, const unsigned short* index, const float* value,
                   int count, float* out);
    // out[c][r] = bias[r] + weights[r] . in[c], for r < rows and c < count; in is [count][width]
    void (*products)(const float* weights, const float* bias, int rows, int width, const float* in, int count, float* out);
    // values[n] = sigmoid(values)
    void (*sigmoid)(float* values, int n);
    // slopes[n] by first-layer activations, values[n], -> slopes by their sums
    void (*activation_slopes)(float* slopes, const float* values, int n);
    // gradients[index[k]] += value[k] * delta, for k < count
    void (*spread)(float* gradients, int width, const unsigned short* index, const float* value, int count,
                   const float* delta);
    // out[r][width] += sum over s < steps of factors[r * by_row + s * by_step] * in[s][width], for r < rows
    void (*multiply)(const float* factors, int by_row, int by_step, const float* in, int rows, int steps, int width, float* out);
    // One step of Adam with 0.9 and 0.999; rate includes the correction for the first steps. Weights stay within +-most.
    // Clears gradients.
    void (*adam)(float* weights, float* mean, float* square, float* gradients, int n, float rate, float floor, float most);
    const Int16Kernel* int16;
    // See features.hpp
    FeatureFunction compute_features;
};

}  // namespace barpoint
