// Compiled once for each instruction set, with -DBARPOINT_KERNEL=its name. What is done in floats: plain loops that every
// compiler turns into vector code, but for the products of a net's layers.
#include "kernels/kernel.hpp"

#include <math.h>
#include <string.h>

#if defined(__GNUC__) && defined(__SSE2__)
#include <immintrin.h>
#endif

#include "kernels/lanes.hpp"

#define BARPOINT_TEXT(a) #a
#define BARPOINT_STRING(a) BARPOINT_TEXT(a)

#if defined(_MSC_VER)
#define BARPOINT_RESTRICT __restrict
#else
#define BARPOINT_RESTRICT __restrict__
#endif

namespace barpoint {

extern const Int16Kernel BARPOINT_NAME(int16_, BARPOINT_KERNEL);
void BARPOINT_NAME(features_, BARPOINT_KERNEL)(const unsigned char*, int, Interaction, FeatureBatch&);

namespace {

#if defined(__GNUC__)

// Sums stay in registers, eight at a time, while the rows pass by: a row is loaded once and a sum never. The lanes of one
// register are those of the instruction set.
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
typedef int Words __attribute__((vector_size(kLanes * sizeof(int)), aligned(4), may_alias));

inline Lanes load(const float* from) { return *reinterpret_cast<const Lanes*>(from); }

// One instruction where the compiler would make two of a comparison.
inline Lanes lesser(Lanes a, Lanes b) {
#if defined(__AVX512F__)
    return reinterpret_cast<Lanes>(_mm512_min_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b)));
#elif defined(__AVX__)
    return reinterpret_cast<Lanes>(_mm256_min_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b)));
#elif defined(__SSE2__)
    return reinterpret_cast<Lanes>(_mm_min_ps(reinterpret_cast<__m128>(a), reinterpret_cast<__m128>(b)));
#else
    return a < b ? a : b;
#endif
}
inline Lanes greater(Lanes a, Lanes b) { return a > b ? a : b; }

// 1 + e^-x with a relative error below 2e-7: 2^t from the exponent bits and a polynomial for the fraction. What is beyond
// +-20 counts as that; NaN stays what it is.
inline Lanes above_one(Lanes x) {
#if defined(__AVX512F__)
    const Lanes t = lesser(Lanes{} + 28.85f, x * -1.44269504f);  // powers of large negative numbers are 0
    const Lanes f = reinterpret_cast<Lanes>(_mm512_reduce_ps(reinterpret_cast<__m512>(t), 1));
#else
    const Lanes t = lesser(Lanes{} + 20.0f, greater(Lanes{} - 20.0f, x)) * -1.44269504f;
    const Words whole = __builtin_convertvector(t + 127.0f, Words);  // always positive, so that truncation rounds down
    const Lanes f = t - __builtin_convertvector(whole - 127, Lanes);
#endif
    Lanes power = 1.8775767e-3f * f + 8.9893397e-3f;
    power = power * f + 5.5826318e-2f;
    power = power * f + 2.4015361e-1f;
    power = power * f + 6.9315308e-1f;
    power = power * f + 9.9999994e-1f;
#if defined(__AVX512F__)
    return 1.0f + reinterpret_cast<Lanes>(_mm512_scalef_ps(reinterpret_cast<__m512>(power), reinterpret_cast<__m512>(t)));
#else
    return 1.0f + reinterpret_cast<Lanes>(whole << 23) * power;
#endif
}

// 1 / x, where that takes less by an estimate and a step of Newton's.
inline Lanes inverse(Lanes x) {
#if defined(__AVX512F__)
    const __m512 divisor = reinterpret_cast<__m512>(x), near = _mm512_rcp14_ps(divisor);
    return reinterpret_cast<Lanes>(_mm512_mul_ps(near, _mm512_fnmadd_ps(divisor, near, _mm512_set1_ps(2.0f))));
#else
    return 1.0f / x;
#endif
}

void sigmoid(float* values, int n) {
    int i = 0;
    for (; i + kLanes <= n; i += kLanes) *reinterpret_cast<Lanes*>(values + i) = inverse(above_one(load(values + i)));
    if (i == n) return;
    Lanes rest = {};
    memcpy(&rest, values + i, static_cast<unsigned>(n - i) * sizeof(float));
    rest = inverse(above_one(rest));
    memcpy(values + i, &rest, static_cast<unsigned>(n - i) * sizeof(float));
}

// Registers of sums; about half of those that the instruction set has. Results do not depend on it.
#if defined(__AVX512F__)
constexpr int kSumsAtOnce = 16;
#else
constexpr int kSumsAtOnce = 8;
#endif

template <int kSums>
inline void gather_block(const float* weights, const float* start, int width, const unsigned short* index,
                         const float* value, int count, float* out) {
    Lanes sum[kSums];
    for (int i = 0; i < kSums; ++i) sum[i] = load(start + i * kLanes);
    for (int k = 0; k < count; ++k) {
        const float* row = weights + index[k] * width;
        const float x = value[k];
        for (int i = 0; i < kSums; ++i) sum[i] += x * load(row + i * kLanes);
    }
    for (int i = 0; i < kSums; ++i) *reinterpret_cast<Lanes*>(out + i * kLanes) = sum[i];
}

template <int kSums>
inline void gather_blocks(const float* weights, const float* start, int width, const unsigned short* index,
                          const float* value, int count, float* out, int& at) {
    for (constexpr int kWide = kSums * kLanes; at + kWide <= width; at += kWide) {
        gather_block<kSums>(weights + at, start + at, width, index, value, count, out + at);
    }
}

void gather(const float* weights, const float* start, int width, const unsigned short* index, const float* value,
            int count, float* out) {
    int at = 0;
    gather_blocks<kSumsAtOnce>(weights, start, width, index, value, count, out, at);
    gather_blocks<4>(weights, start, width, index, value, count, out, at);
    gather_blocks<2>(weights, start, width, index, value, count, out, at);
    gather_blocks<1>(weights, start, width, index, value, count, out, at);
}

// Of all lanes, by fours first: lane after lane would wait for each other.
inline float total(Lanes sum) {
    typedef float Four __attribute__((vector_size(16)));
    Four fours[kLanes / 4];
    memcpy(fours, &sum, sizeof sum);
    Four all = fours[0];
    for (int i = 1; i < kLanes / 4; ++i) all += fours[i];
    return (all[0] + all[2]) + (all[1] + all[3]);
}

template <int kRows>
inline void product_block(const float* weights, const float* bias, int width, const float* in, float* out) {
    Lanes sum[kRows];
    for (int r = 0; r < kRows; ++r) sum[r] = Lanes{};
    for (int i = 0; i < width; i += kLanes) {
        const Lanes x = load(in + i);
        for (int r = 0; r < kRows; ++r) sum[r] += x * load(weights + r * width + i);
    }
    for (int r = 0; r < kRows; ++r) out[r] = bias[r] + total(sum[r]);
}

void product(const float* weights, const float* bias, int rows, int width, const float* in, float* out) {
    int r = 0;
    for (; r + 8 <= rows; r += 8) product_block<8>(weights + r * width, bias + r, width, in, out + r);
    for (; r + 5 <= rows; r += 5) product_block<5>(weights + r * width, bias + r, width, in, out + r);
    for (; r < rows; ++r) product_block<1>(weights + r * width, bias + r, width, in, out + r);
}

// Four inputs at a time, so that a weight is loaded once for them.
template <int kRows>
inline void products_block(const float* weights, const float* bias, int rows, int width, const float* in, float* out) {
    Lanes sum[4][kRows];
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < kRows; ++r) sum[c][r] = Lanes{};
    }
    for (int i = 0; i < width; i += kLanes) {
        Lanes row[kRows];
        for (int r = 0; r < kRows; ++r) row[r] = load(weights + r * width + i);
        for (int c = 0; c < 4; ++c) {
            const Lanes x = load(in + c * width + i);
            for (int r = 0; r < kRows; ++r) sum[c][r] += x * row[r];
        }
    }
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < kRows; ++r) out[c * rows + r] = bias[r] + total(sum[c][r]);
    }
}

void products(const float* weights, const float* bias, int rows, int width, const float* in, int count, float* out) {
    constexpr int kRows = kLanes == 16 ? 4 : 2;  // as many sums as there are registers for
    for (; count >= 4; count -= 4, in += 4 * width, out += 4 * rows) {
        int r = 0;
        for (; r + kRows <= rows; r += kRows) products_block<kRows>(weights + r * width, bias + r, rows, width, in, out + r);
        for (; r < rows; ++r) products_block<1>(weights + r * width, bias + r, rows, width, in, out + r);
    }
    for (; count > 0; --count, in += width, out += rows) product(weights, bias, rows, width, in, out);
}

// So many rows of so many vectors: sums stay in registers while the steps pass by.
template <int kRows, int kVectors>
inline void multiply_block(const float* factors, int by_row, int by_step, const float* in, int steps, int width, float* out) {
    Lanes sum[kRows][kVectors];
    for (int r = 0; r < kRows; ++r) {
        for (int v = 0; v < kVectors; ++v) sum[r][v] = load(out + r * width + v * kLanes);
    }
    for (int s = 0; s < steps; ++s) {
        Lanes row[kVectors];
        for (int v = 0; v < kVectors; ++v) row[v] = load(in + s * width + v * kLanes);
        for (int r = 0; r < kRows; ++r) {
            const float x = factors[r * by_row + s * by_step];
            for (int v = 0; v < kVectors; ++v) sum[r][v] += x * row[v];
        }
    }
    for (int r = 0; r < kRows; ++r) {
        for (int v = 0; v < kVectors; ++v) *reinterpret_cast<Lanes*>(out + r * width + v * kLanes) = sum[r][v];
    }
}

template <int kVectors>
inline void multiply_blocks(const float* factors, int by_row, int by_step, const float* in, int rows, int steps, int width,
                            float* out, int& at) {
    for (; at + kVectors * kLanes <= width; at += kVectors * kLanes) {
        int r = 0;
        for (; r + 4 <= rows; r += 4) {
            multiply_block<4, kVectors>(factors + r * by_row, by_row, by_step, in + at, steps, width, out + r * width + at);
        }
        for (; r < rows; ++r) {
            multiply_block<1, kVectors>(factors + r * by_row, by_row, by_step, in + at, steps, width, out + r * width + at);
        }
    }
}

void multiply(const float* factors, int by_row, int by_step, const float* in, int rows, int steps, int width, float* out) {
    int at = 0;
    multiply_blocks<kLanes == 16 ? 4 : 2>(factors, by_row, by_step, in, rows, steps, width, out, at);
    multiply_blocks<1>(factors, by_row, by_step, in, rows, steps, width, out, at);
}

#else

// As above.
inline float squash(float x) {
    x = x > 30.0f ? 30.0f : x;
    x = x < -30.0f ? -30.0f : x;
    const float t = 127.0f - x * 1.44269504f;
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

void gather(const float* weights, const float* start, int width, const unsigned short* index, const float* value,
            int count, float* out) {
    for (int i = 0; i < width; ++i) out[i] = start[i];
    for (int k = 0; k < count; ++k) {
        const float* BARPOINT_RESTRICT row = weights + index[k] * width;
        const float x = value[k];
        for (int i = 0; i < width; ++i) out[i] += x * row[i];
    }
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

void products(const float* weights, const float* bias, int rows, int width, const float* in, int count, float* out) {
    for (int c = 0; c < count; ++c) product(weights, bias, rows, width, in + c * width, out + c * rows);
}

void multiply(const float* factors, int by_row, int by_step, const float* in, int rows, int steps, int width,
              float* BARPOINT_RESTRICT out) {
    for (int r = 0; r < rows; ++r, out += width) {
        for (int s = 0; s < steps; ++s) {
            const float* BARPOINT_RESTRICT row = in + s * width;
            const float x = factors[r * by_row + s * by_step];
            for (int i = 0; i < width; ++i) out[i] += x * row[i];
        }
    }
}

#endif

void activation_slopes(float* BARPOINT_RESTRICT slopes, const float* BARPOINT_RESTRICT values, int n) {
    for (int i = 0; i < n; ++i) {
        const float more = 1.0f - values[i];
        float left = values[i] < more ? values[i] : more;  // how far from its end
        left = left > 0.0f ? left : 0.0f;
        slopes[i] *= sqrtf(2.0f * left) * (1.0f / kActivationRange);
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

void adam(float* BARPOINT_RESTRICT weights, float* BARPOINT_RESTRICT mean, float* BARPOINT_RESTRICT square,
          float* BARPOINT_RESTRICT gradients, int n, float rate, float floor, float most) {
    for (int i = 0; i < n; ++i) {
        const float g = gradients[i];
        mean[i] = 0.9f * mean[i] + 0.1f * g;
        square[i] = 0.999f * square[i] + 0.001f * g * g;
        const float weight = weights[i] - rate * mean[i] / (sqrtf(square[i]) + floor);
        weights[i] = weight > most ? most : weight < -most ? -most : weight;
        gradients[i] = 0.0f;
    }
}

constexpr Kernel kTable = {BARPOINT_STRING(BARPOINT_KERNEL),
                           gather,
                           products,
                           sigmoid,
                           activation_slopes,
                           spread,
                           multiply,
                           adam,
                           &BARPOINT_NAME(int16_, BARPOINT_KERNEL),
                           BARPOINT_NAME(features_, BARPOINT_KERNEL)};

}  // namespace

const Kernel* BARPOINT_NAME(kernel_, BARPOINT_KERNEL)() { return &kTable; }

}  // namespace barpoint
