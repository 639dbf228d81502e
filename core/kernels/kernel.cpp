// Compiled once for each instruction set, with -DBARPOINT_KERNEL=its name. Plain loops that every compiler turns into
// vector code, but for the two products of a net's layers.
#include "kernel.hpp"

#include <math.h>
#include <string.h>

#if defined(__GNUC__) && (defined(__F16C__) || defined(__SSE2__))
#include <immintrin.h>
#endif

#include "lanes.hpp"

#define BARPOINT_TEXT(a) #a
#define BARPOINT_STRING(a) BARPOINT_TEXT(a)

#if defined(_MSC_VER)
#define BARPOINT_RESTRICT __restrict
#else
#define BARPOINT_RESTRICT __restrict__
#endif

namespace barpoint {

void BARPOINT_NAME(measure_, BARPOINT_KERNEL)(const unsigned char* positions, int count, float (*out)[kMeasuredTogether]);
void BARPOINT_NAME(pair_up_, BARPOINT_KERNEL)(const float (*values)[kMeasuredTogether], int count, const float* scale,
                                              const int* base, const float* most, int (*words)[kMeasuredTogether], float* bound);

namespace {

#if defined(__GNUC__)

// Sums stay in registers, eight at a time, while the rows pass by: a row is loaded once and a sum never. The lanes of one
// register are those of the instruction set.
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
typedef int Words __attribute__((vector_size(kLanes * sizeof(int)), aligned(4), may_alias));
typedef short Shorts __attribute__((vector_size(kLanes * sizeof(short)), aligned(2), may_alias));

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

inline Lanes squash(Lanes x) { return inverse(above_one(x)); }

void sigmoid(float* values, int n) {
    int i = 0;
    for (; i + kLanes <= n; i += kLanes) *reinterpret_cast<Lanes*>(values + i) = squash(load(values + i));
    if (i == n) return;
    Lanes rest = {};
    memcpy(&rest, values + i, static_cast<unsigned>(n - i) * sizeof(float));
    rest = squash(rest);
    memcpy(values + i, &rest, static_cast<unsigned>(n - i) * sizeof(float));
}

// A chance in whole numbers: added to a float so large that its last bit counts 1, it stands in the last 16.
inline void write_whole(Lanes chance, short* out) {
    constexpr float kLarge = 12582912.0f;  // 1.5 * 2^23
    const Words bits = reinterpret_cast<Words>(chance * (2.0f * kHalf) + (kLarge - kHalf));
#if defined(__AVX512F__)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_cvtepi32_epi16(reinterpret_cast<__m512i>(bits)));
#else
    *reinterpret_cast<Shorts*>(out) = __builtin_convertvector(bits, Shorts);
#endif
}

// sigmoid(values) in whole numbers; n is a multiple of 16.
void settle(const float* values, int n, short* out) {
    int i = 0;
#if !defined(__AVX512F__)
    for (; i + 4 * kLanes <= n; i += 4 * kLanes) {  // four of them cost one division
        const Lanes a = above_one(load(values + i)), b = above_one(load(values + i + kLanes));
        const Lanes c = above_one(load(values + i + 2 * kLanes)), d = above_one(load(values + i + 3 * kLanes));
        const Lanes ab = a * b, cd = c * d, all = 1.0f / (ab * cd);
        write_whole(b * (cd * all), out + i);
        write_whole(a * (cd * all), out + i + kLanes);
        write_whole(d * (ab * all), out + i + 2 * kLanes);
        write_whole(c * (ab * all), out + i + 3 * kLanes);
    }
#endif
    for (; i < n; i += kLanes) write_whole(squash(load(values + i)), out + i);
}

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

// Whole numbers of 16 bits stand in pairs, each pair in a lane of 32.
inline Words load_pairs(const short* from) { return *reinterpret_cast<const Words*>(from); }

// The same pair in every lane.
inline Words repeat(const short* pair) {
    int word;
    memcpy(&word, pair, sizeof word);
    return Words{} + word;
}

// sum + the products of both numbers of a pair, in each lane.
inline Words dot(Words sum, Words a, Words b) {
#if defined(__AVX512VNNI__)
    return reinterpret_cast<Words>(_mm512_dpwssd_epi32(reinterpret_cast<__m512i>(sum), reinterpret_cast<__m512i>(a),
                                                       reinterpret_cast<__m512i>(b)));
#elif defined(__AVX512BW__)
    return sum + reinterpret_cast<Words>(_mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
    return sum + reinterpret_cast<Words>(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
    return sum + reinterpret_cast<Words>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    return sum + (a >> 16) * (b >> 16) + ((a << 16) >> 16) * ((b << 16) >> 16);
#endif
}

template <int kSums>
inline void gather_pairs_block(const short* weights, const float* start, float unit, int width, const Pairs& pairs, float* out) {
    Lanes sum[kSums];
    for (int i = 0; i < kSums; ++i) sum[i] = load(start + i * kLanes);
    for (int part = 0, k = 0; part < pairs.parts; ++part) {
        Words whole[kSums];
        for (int i = 0; i < kSums; ++i) whole[i] = Words{};
        for (; k < pairs.end[part]; ++k) {
            const short* row = weights + 2 * pairs.pair[k] * width;
            const Words x = repeat(pairs.value[k]);
            for (int i = 0; i < kSums; ++i) whole[i] = dot(whole[i], x, load_pairs(row + 2 * i * kLanes));
        }
        for (int i = 0; i < kSums; ++i) sum[i] += unit * __builtin_convertvector(whole[i], Lanes);
    }
    for (int i = 0; i < kSums; ++i) *reinterpret_cast<Lanes*>(out + i * kLanes) = sum[i];
}

// Units of one block, of which `width` begin at weights.
inline void gather_pairs_of(const short* weights, const float* start, float unit, int width, const Pairs& pairs, float* out) {
    int at = 0;
    for (constexpr int kWide = 8 * kLanes; at + kWide <= width; at += kWide) {
        gather_pairs_block<8>(weights + 2 * at, start + at, unit, width, pairs, out + at);
    }
    for (; at < width; at += kLanes) gather_pairs_block<1>(weights + 2 * at, start + at, unit, width, pairs, out + at);
}

// So many vectors of rows with so many inputs: a weight is loaded once for all of them.
template <int kVectors, int kInputs>
inline void products_pairs_block(const short* weights, const float* bias, const float* unit, int rows, int width,
                                 const short* in, float* out) {
    Lanes sum[kInputs][kVectors];
    for (int c = 0; c < kInputs; ++c) {
        for (int v = 0; v < kVectors; ++v) sum[c][v] = Lanes{};
    }
    for (int from = 0; from < width; from += kPart) {
        const int to = from + kPart < width ? from + kPart : width;
        Words whole[kInputs][kVectors];
        for (int c = 0; c < kInputs; ++c) {
            for (int v = 0; v < kVectors; ++v) whole[c][v] = Words{};
        }
        for (int i = from; i < to; i += 2) {
            Words row[kVectors];
            for (int v = 0; v < kVectors; ++v) row[v] = load_pairs(weights + i * rows + 2 * v * kLanes);
            for (int c = 0; c < kInputs; ++c) {
                const Words x = repeat(in + c * width + i);
                for (int v = 0; v < kVectors; ++v) whole[c][v] = dot(whole[c][v], row[v], x);
            }
        }
        for (int c = 0; c < kInputs; ++c) {
            for (int v = 0; v < kVectors; ++v) sum[c][v] += __builtin_convertvector(whole[c][v], Lanes);
        }
    }
    for (int c = 0; c < kInputs; ++c) {
        for (int v = 0; v < kVectors; ++v) {
            *reinterpret_cast<Lanes*>(out + c * rows + v * kLanes) =
                load(bias + v * kLanes) + load(unit + v * kLanes) * sum[c][v];
        }
    }
}

template <int kInputs>
inline void products_pairs_of(const short* weights, const float* bias, const float* unit, int rows, int width, const short* in,
                              float* out) {
    constexpr int kVectors = kLanes == 16 ? 4 : 2;  // as many sums as there are registers for
    int r = 0;
    for (constexpr int kWide = kVectors * kLanes; r + kWide <= rows; r += kWide) {
        products_pairs_block<kVectors, kInputs>(weights + 2 * r, bias + r, unit + r, rows, width, in, out + r);
    }
    for (; r < rows; r += kLanes) {
        products_pairs_block<1, kInputs>(weights + 2 * r, bias + r, unit + r, rows, width, in, out + r);
    }
}

void products_pairs(const short* weights, const float* bias, const float* unit, int rows, int width, const short* in,
                    int count, float* out) {
    int c = 0;
    for (; c + 4 <= count; c += 4) products_pairs_of<4>(weights, bias, unit, rows, width, in + c * width, out + c * rows);
    for (; c + 2 <= count; c += 2) products_pairs_of<2>(weights, bias, unit, rows, width, in + c * width, out + c * rows);
    if (c < count) products_pairs_of<1>(weights, bias, unit, rows, width, in + c * width, out + c * rows);
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

void settle(const float* values, int n, short* BARPOINT_RESTRICT out) {
    for (int i = 0; i < n; ++i) {
        out[i] = static_cast<short>(static_cast<int>(squash(values[i]) * (2.0f * kHalf) + 0.5f) - kHalf);
    }
}

inline void gather_pairs_of(const short* weights, const float* start, float unit, int width, const Pairs& pairs, float* out) {
    for (int i = 0; i < width; ++i) out[i] = start[i];
    for (int part = 0, first = 0; part < pairs.parts; first = pairs.end[part++]) {
        for (int i = 0; i < width; ++i) {
            int whole = 0;
            for (int k = first; k < pairs.end[part]; ++k) {
                const short* pair = weights + 2 * (pairs.pair[k] * width + i);
                whole += pair[0] * pairs.value[k][0] + pair[1] * pairs.value[k][1];
            }
            out[i] += unit * static_cast<float>(whole);
        }
    }
}

void products_pairs(const short* weights, const float* bias, const float* unit, int rows, int width, const short* in,
                    int count, float* out) {
    for (int c = 0; c < count; ++c, in += width, out += rows) {
        for (int r = 0; r < rows; ++r) {
            float sum = 0.0f;
            for (int from = 0; from < width; from += kPart) {
                int whole = 0;
                for (int i = from; i < width && i < from + kPart; ++i) whole += weights[(i / 2 * rows + r) * 2 + i % 2] * in[i];
                sum += static_cast<float>(whole);
            }
            out[r] = bias[r] + unit[r] * sum;
        }
    }
}

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

void gather_pairs(const short* weights, int rows, const float* start, float unit, int width, const Pairs& pairs, float* out) {
    for (int at = 0; at < width; at += kBlock) {
        const int wide = width - at < kBlock ? width - at : kBlock;
        gather_pairs_of(weights + 2 * at * rows, start + at, unit, wide, pairs, out + at);
    }
}

void hidden_pairs(const short* weights, int rows, const float* start, float unit, int width, const Pairs* pairs, int count,
                  short* out) {
    for (int at = 0; at < width; at += kBlock) {
        const int wide = width - at < kBlock ? width - at : kBlock;
        for (int c = 0; c < count; ++c) {
            float sums[kBlock];
            gather_pairs_of(weights + 2 * at * rows, start + at, unit, wide, pairs[c], sums);
            settle(sums, wide, out + c * width + at);
        }
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
                           gather<float>,
#if defined(__GNUC__) && defined(__F16C__)
                           gather<unsigned short>,
#else
                           nullptr,
#endif
                           products<float>,
                           gather_pairs,
                           hidden_pairs,
                           products_pairs,
                           sigmoid,
                           spread,
                           multiply,
                           adam,
                           BARPOINT_NAME(measure_, BARPOINT_KERNEL),
                           BARPOINT_NAME(pair_up_, BARPOINT_KERNEL)};

}  // namespace

const Kernel* BARPOINT_NAME(kernel_, BARPOINT_KERNEL)() { return &kTable; }

}  // namespace barpoint
