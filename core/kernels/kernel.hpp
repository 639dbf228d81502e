// The arithmetic of a net, one table of functions for each instruction set. Nothing here may include a header with
// inline functions: a copy compiled for a newer machine could be linked into code that runs on an older one.
#pragma once

namespace barpoint {

// All widths are multiples of 16; pointers need no alignment.
struct Kernel {
    const char* isa;
    // out[width] = start + sum over k < count of value[k] * weights[index[k]]; start and out may be the same
    void (*gather)(const float* weights, const float* start, int width, const unsigned short* index, const float* value,
                   int count, float* out);
    // out[width] = sigmoid(bias + sum over k < count of value[k] * weights[index[k]])
    void (*hidden)(const float* weights, const float* bias, int width, const unsigned short* index, const float* value,
                   int count, float* out);
    // The same two, and products below, from weights that are half floats, which take half the way from memory; nullptr where the
    // instruction set cannot read them.
    void (*gather_halves)(const unsigned short* weights, const float* start, int width, const unsigned short* index,
                          const float* value, int count, float* out);
    void (*hidden_halves)(const unsigned short* weights, const float* bias, int width, const unsigned short* index,
                          const float* value, int count, float* out);
    // out[r] = bias[r] + weights[r] . in, for r < rows
    void (*product)(const float* weights, const float* bias, int rows, int width, const float* in, float* out);
    // out[c][r] = bias[r] + weights[r] . in[c], for r < rows and c < count; in is [count][width]
    void (*products)(const float* weights, const float* bias, int rows, int width, const float* in, int count, float* out);
    void (*products_halves)(const unsigned short* weights, const float* bias, int rows, int width, const float* in, int count,
                            float* out);
    // values[n] = sigmoid(values)
    void (*sigmoid)(float* values, int n);
    // gradients[index[k]] += value[k] * delta, for k < count
    void (*spread)(float* gradients, int width, const unsigned short* index, const float* value, int count,
                   const float* delta);
    // to[width] += factor * from
    void (*add)(float* to, float factor, const float* from, int width);
    // One step of Adam with 0.9 and 0.999; rate includes the correction for the first steps. Clears gradients.
    void (*adam)(float* weights, float* mean, float* square, float* gradients, int n, float rate, float floor);
};

}  // namespace barpoint
