// The arithmetic of a net, one table of functions for each instruction set. Nothing here may include a header with
// inline functions: a copy compiled for a newer machine could be linked into code that runs on an older one.
#pragma once

#include "measure.hpp"

namespace barpoint {

// The first layer in whole numbers stands in blocks of so many units, [blocks][pairs of rows][block][2], the last one narrower
// where need be: what many positions ask of a block stays near. The numbers that rows are multiplied by come in pairs too.
// The sums of one part fit 32 bits.
inline constexpr int kBlock = 128;
inline constexpr int kMostEntries = 3072;
struct Pairs {
    int count = 0, parts = 0;
    unsigned short pair[kMostEntries];
    short value[kMostEntries][2];
    unsigned short end[kMostEntries];  // of each part, among the entries
};

// What a unit gives, a chance, in whole numbers: -kHalf for 0, kHalf for 1.
inline constexpr int kHalf = 16384;
inline constexpr int kPart = 16;  // so many of them, times weights, fit 32 bits when added up

// All widths are multiples of 16; pointers need no alignment.
struct Kernel {
    const char* isa;
    // out[width] = start + sum over k < count of value[k] * weights[index[k]]; start and out may be the same
    void (*gather)(const float* weights, const float* start, int width, const unsigned short* index, const float* value,
                   int count, float* out);
    // gather() from weights that are half floats, which take half the way from memory; nullptr where the instruction set
    // cannot read them
    void (*gather_halves)(const unsigned short* weights, const float* start, int width, const unsigned short* index,
                          const float* value, int count, float* out);
    // out[c][r] = bias[r] + weights[r] . in[c], for r < rows and c < count; in is [count][width]
    void (*products)(const float* weights, const float* bias, int rows, int width, const float* in, int count, float* out);
    // out[width] = start + unit * the sums of `pairs`, whole numbers; then the same for each of many, and what the units give
    // rows: pairs of them
    void (*gather_pairs)(const short* weights, int rows, const float* start, float unit, int width, const Pairs& pairs,
                         float* out);
    void (*hidden_pairs)(const short* weights, int rows, const float* start, float unit, int width, const Pairs* pairs,
                         int count, short* out);
    // out[c][r] = bias[r] + unit[r] * weights[r] . in[c], the product in whole numbers; weights is [width / 2][rows][2]
    void (*products_pairs)(const short* weights, const float* bias, const float* unit, int rows, int width, const short* in,
                           int count, float* out);
    // values[n] = sigmoid(values)
    void (*sigmoid)(float* values, int n);
    // gradients[index[k]] += value[k] * delta, for k < count
    void (*spread)(float* gradients, int width, const unsigned short* index, const float* value, int count,
                   const float* delta);
    // out[r][width] += sum over s < steps of factors[r * by_row + s * by_step] * in[s][width], for r < rows
    void (*multiply)(const float* factors, int by_row, int by_step, const float* in, int rows, int steps, int width, float* out);
    // One step of Adam with 0.9 and 0.999; rate includes the correction for the first steps. Weights stay within +-most.
    // Clears gradients.
    void (*adam)(float* weights, float* mean, float* square, float* gradients, int n, float rate, float floor, float most);
    // As measure.hpp has them
    Measure measure;
    PairUp pair_up;
};

}  // namespace barpoint
