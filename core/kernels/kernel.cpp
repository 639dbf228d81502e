// Compiled once for each instruction set, with -DBARPOINT_KERNEL=its name. Plain loops that every compiler turns into
// vector code; four rows of the sparse first layer are taken at a time, so that sums are loaded and stored less often.
#include "kernel.hpp"

#include <math.h>
#include <string.h>

#define BARPOINT_JOIN(a, b) a##b
#define BARPOINT_NAME(a, b) BARPOINT_JOIN(a, b)
#define BARPOINT_TEXT(a) #a
#define BARPOINT_STRING(a) BARPOINT_TEXT(a)

#if defined(_MSC_VER)
#define BARPOINT_RESTRICT __restrict
#else
#define BARPOINT_RESTRICT __restrict__
#endif

namespace barpoint {
namespace {

// 1 / (1 + e^-x) with a relative error below 2e-7: 2^t from the exponent bits and a polynomial for the fraction.
inline float squash(float x) {
    x = x > 30.0f ? 30.0f : x;
    x = x < -30.0f ? -30.0f : x;
    const float t = 127.0f - x * 1.44269504f;  // always positive, so that truncation rounds down
    const int whole = static_cast<int>(t);
    const float f = t - static_cast<float>(whole);
    float power = 1.8775767e-3f;
    power = power * f + 8.9893397e-3f;
    power = power * f + 5.5826318e-2f;
    power = power * f + 2.4015361e-1f;
    power = power * f + 6.9315308e-1f;
    power = power * f + 9.9999994e-1f;
    const int bits = whole << 23;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return 1.0f / (1.0f + scale * power);
}

void sigmoid(float* values, int n) {
    for (int i = 0; i < n; ++i) values[i] = squash(values[i]);
}

void hidden(const float* weights, const float* bias, int width, const unsigned short* index, const float* value,
            int count, float* BARPOINT_RESTRICT out) {
    for (int i = 0; i < width; ++i) out[i] = bias[i];
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        const float* BARPOINT_RESTRICT a = weights + index[k] * width;
        const float* BARPOINT_RESTRICT b = weights + index[k + 1] * width;
        const float* BARPOINT_RESTRICT c = weights + index[k + 2] * width;
        const float* BARPOINT_RESTRICT d = weights + index[k + 3] * width;
        const float x = value[k], y = value[k + 1], z = value[k + 2], w = value[k + 3];
        for (int i = 0; i < width; ++i) out[i] += x * a[i] + y * b[i] + z * c[i] + w * d[i];
    }
    for (; k < count; ++k) {
        const float* BARPOINT_RESTRICT a = weights + index[k] * width;
        const float x = value[k];
        for (int i = 0; i < width; ++i) out[i] += x * a[i];
    }
    sigmoid(out, width);
}

void product(const float* weights, const float* bias, int rows, int width, const float* in,
             float* BARPOINT_RESTRICT out) {
    for (int r = 0; r < rows; ++r) {
        const float* BARPOINT_RESTRICT row = weights + r * width;
        float sum = 0.0f;
        for (int i = 0; i < width; ++i) sum += row[i] * in[i];
        out[r] = bias[r] + sum;
    }
}

void spread(float* gradients, int width, const unsigned short* index, const float* value, int count,
            const float* BARPOINT_RESTRICT delta) {
    for (int k = 0; k < count; ++k) {
        float* BARPOINT_RESTRICT row = gradients + index[k] * width;
        const float x = value[k];
        for (int i = 0; i < width; ++i) row[i] += x * delta[i];
    }
}

void add(float* BARPOINT_RESTRICT to, float factor, const float* BARPOINT_RESTRICT from, int width) {
    for (int i = 0; i < width; ++i) to[i] += factor * from[i];
}

void adam(float* BARPOINT_RESTRICT weights, float* BARPOINT_RESTRICT mean, float* BARPOINT_RESTRICT square,
          float* BARPOINT_RESTRICT gradients, int n, float rate, float floor) {
    for (int i = 0; i < n; ++i) {
        const float g = gradients[i];
        mean[i] = 0.9f * mean[i] + 0.1f * g;
        square[i] = 0.999f * square[i] + 0.001f * g * g;
        weights[i] -= rate * mean[i] / (sqrtf(square[i]) + floor);
        gradients[i] = 0.0f;
    }
}

constexpr Kernel kTable = {BARPOINT_STRING(BARPOINT_KERNEL), hidden, product, sigmoid, spread, add, adam};

}  // namespace

const Kernel* BARPOINT_NAME(kernel_, BARPOINT_KERNEL)() { return &kTable; }

}  // namespace barpoint
