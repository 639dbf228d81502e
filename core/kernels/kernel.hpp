// The arithmetic of a net, one table of functions for each instruction set. Nothing here may include a header with
// inline functions: a copy compiled for a newer machine could be linked into code that runs on an older one.
#pragma once

#include "kernels/features.hpp"

namespace barpoint {

// The first layer in whole numbers stands in blocks of so many units, [blocks][pairs of rows][block][2], the last one narrower
// where need be: what many positions ask of a block stays near. Inputs come in pairs too, the first in the lower half of
// a word. Sums are counted in parts of a part: 1 is kSteps of an input times kWeightSteps of a weight.
inline constexpr int kBlock = 128;
inline constexpr int kWeightSteps = 1024;
inline constexpr int kMaxPairs = 256;
struct Pairs {
    int count = 0;
    unsigned short pair[kMaxPairs];
    int word[kMaxPairs];
};

// A unit of the first layer gives 0 for sums below -kBend, 1 above kBend, and two parabolas lead from one to the other, in
// steps of which kGivenSteps are 1. Whole numbers begin at 1/2; for them 16 bits hold the sums up to kBend.
inline constexpr int kBend = 4;
inline constexpr int kShift = 8;
static_assert(kBend * kSteps * kWeightSteps >> kShift == 1 << 15);
inline constexpr int kGivenSteps = 2048;

// All widths are multiples of 16; pointers need no alignment.
struct Whole {
    // out[width] = start + the sums of `pairs`, whole numbers; then the same for each of many, and what the units give
    // rows: pairs of them
    void (*gather_pairs)(const short* weights, int rows, const int* start, int width, const Pairs& pairs, int* out);
    void (*hidden_pairs)(const short* weights, int rows, const int* start, int width, const Pairs* pairs, int count, short* out);
    // out[c][r] = weights[r] . in[c] in whole numbers; weights is [width / 2][rows][2]
    void (*products_pairs)(const short* weights, int rows, int width, const short* in, int count, int* out);
    // The same where those of `base` are known, [rows]: sooner where in, [count][width], differs from it in few places.
    void (*products_beside)(const short* weights, int rows, int width, const short* base, const int* known, const short* in,
                            int count, int* out);
    // values[n], sums of units of the first layer -> what those give, both in floats
    void (*bend)(float* values, int n);
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
    // slopes[n] by what units of the first layer gave, values, -> by their sums
    void (*bend_back)(float* slopes, const float* values, int n);
    // gradients[index[k]] += value[k] * delta, for k < count
    void (*spread)(float* gradients, int width, const unsigned short* index, const float* value, int count,
                   const float* delta);
    // out[r][width] += sum over s < steps of factors[r * by_row + s * by_step] * in[s][width], for r < rows
    void (*multiply)(const float* factors, int by_row, int by_step, const float* in, int rows, int steps, int width, float* out);
    // One step of Adam with 0.9 and 0.999; rate includes the correction for the first steps. Weights stay within +-most.
    // Clears gradients.
    void (*adam)(float* weights, float* mean, float* square, float* gradients, int n, float rate, float floor, float most);
    const Whole* whole;
    // As measure.hpp has it
    Measure measure;
};

}  // namespace barpoint
