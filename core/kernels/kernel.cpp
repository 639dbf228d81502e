// Compiled once for each instruction set, with -DBARPOINT_KERNEL=its name. Plain loops that every compiler turns into
// vector code, but for the two products of a net's layers.
#include "kernel.hpp"

#include <math.h>
#include <string.h>

#if defined(__GNUC__) && defined(__F16C__)
#include <immintrin.h>
#endif

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

#if defined(__GNUC__)

// Sums stay in registers, eight at a time, while the rows pass by: a row is loaded once and a sum never. The lanes of one
// register are those of the instruction set.
#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

inline Lanes load(const float* from) { return *reinterpret_cast<const Lanes*>(from); }

#if defined(__AVX512F__)
constexpr int kSumsAtOnce = 16;
#else
constexpr int kSumsAtOnce = 8;
#endif

#if defined(__F16C__)
inline Lanes load(const unsigned short* from) {
#if defined(__AVX512F__)
    return reinterpret_cast<Lanes>(_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#else
    return reinterpret_cast<Lanes>(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#endif
}
#endif

template <int kSums, class Weight>
inline void gather_block(const Weight* weights, const float* start, int width, const unsigned short* index,
                         const float* value, int count, float* out) {
    Lanes sum[kSums];
    for (int i = 0; i < kSums; ++i) sum[i] = load(start + i * kLanes);
    for (int k = 0; k < count; ++k) {
        const Weight* row = weights + index[k] * width;
        const float x = value[k];
        for (int i = 0; i < kSums; ++i) sum[i] += x * load(row + i * kLanes);
    }
    for (int i = 0; i < kSums; ++i) *reinterpret_cast<Lanes*>(out + i * kLanes) = sum[i];
}

template <int kSums, class Weight>
inline void gather_blocks(const Weight* weights, const float* start, int width, const unsigned short* index,
                          const float* value, int count, float* out, int& at) {
    for (constexpr int kWide = kSums * kLanes; at + kWide <= width; at += kWide) {
        gather_block<kSums>(weights + at, start + at, width, index, value, count, out + at);
    }
}

template <class Weight>
void gather(const Weight* weights, const float* start, int width, const unsigned short* index, const float* value,
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

template <int kRows, class Weight>
inline void product_block(const Weight* weights, const float* bias, int width, const float* in, float* out) {
    Lanes sum[kRows];
    for (int r = 0; r < kRows; ++r) sum[r] = Lanes{};
    for (int i = 0; i < width; i += kLanes) {
        const Lanes x = load(in + i);
        for (int r = 0; r < kRows; ++r) sum[r] += x * load(weights + r * width + i);
    }
    for (int r = 0; r < kRows; ++r) out[r] = bias[r] + total(sum[r]);
}

template <class Weight>
void product(const Weight* weights, const float* bias, int rows, int width, const float* in, float* out) {
    int r = 0;
    for (; r + 8 <= rows; r += 8) product_block<8>(weights + r * width, bias + r, width, in, out + r);
    for (; r + 5 <= rows; r += 5) product_block<5>(weights + r * width, bias + r, width, in, out + r);
    for (; r < rows; ++r) product_block<1>(weights + r * width, bias + r, width, in, out + r);
}

// Four inputs at a time, so that a weight is loaded once for them.
template <int kRows, class Weight>
inline void products_block(const Weight* weights, const float* bias, int rows, int width, const float* in, float* out) {
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

template <class Weight>
void products(const Weight* weights, const float* bias, int rows, int width, const float* in, int count, float* out) {
    constexpr int kRows = kLanes == 16 ? 4 : 2;  // as many sums as there are registers for
    for (; count >= 4; count -= 4, in += 4 * width, out += 4 * rows) {
        int r = 0;
        for (; r + kRows <= rows; r += kRows) products_block<kRows>(weights + r * width, bias + r, rows, width, in, out + r);
        for (; r < rows; ++r) products_block<1>(weights + r * width, bias + r, rows, width, in, out + r);
    }
    for (; count > 0; --count, in += width, out += rows) product(weights, bias, rows, width, in, out);
}

#else

template <class Weight>
void gather(const Weight* weights, const float* start, int width, const unsigned short* index, const float* value,
            int count, float* out) {
    for (int i = 0; i < width; ++i) out[i] = start[i];
    for (int k = 0; k < count; ++k) {
        const Weight* BARPOINT_RESTRICT row = weights + index[k] * width;
        const float x = value[k];
        for (int i = 0; i < width; ++i) out[i] += x * row[i];
    }
}

template <class Weight>
void product(const Weight* weights, const float* bias, int rows, int width, const float* in,
             float* BARPOINT_RESTRICT out) {
    for (int r = 0; r < rows; ++r) {
        const Weight* BARPOINT_RESTRICT row = weights + r * width;
        float sum = 0.0f;
        for (int i = 0; i < width; ++i) sum += row[i] * in[i];
        out[r] = bias[r] + sum;
    }
}

template <class Weight>
void products(const Weight* weights, const float* bias, int rows, int width, const float* in, int count, float* out) {
    for (int c = 0; c < count; ++c) product(weights, bias, rows, width, in + c * width, out + c * rows);
}

#endif

template <class Weight>
void hidden(const Weight* weights, const float* bias, int width, const unsigned short* index, const float* value,
            int count, float* out) {
    gather(weights, bias, width, index, value, count, out);
    sigmoid(out, width);
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

constexpr Kernel kTable = {BARPOINT_STRING(BARPOINT_KERNEL),
                           gather<float>,
                           hidden<float>,
#if defined(__GNUC__) && defined(__F16C__)
                           gather<unsigned short>,
                           hidden<unsigned short>,
#else
                           nullptr,
                           nullptr,
#endif
                           product<float>,
                           products<float>,
#if defined(__GNUC__) && defined(__F16C__)
                           products<unsigned short>,
#else
                           nullptr,
#endif
                           sigmoid,
                           spread,
                           add,
                           adam};

}  // namespace

const Kernel* BARPOINT_NAME(kernel_, BARPOINT_KERNEL)() { return &kTable; }

}  // namespace barpoint
