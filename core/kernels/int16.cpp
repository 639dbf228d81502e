// Compiled once for each instruction set, with -DBARPOINT_KERNEL=its name: the hidden layers of a net in int16, the
// same on all of them. Sums may pass the ends of 32 bits on their way; those that are asked for fit.
#include "kernels/kernel.hpp"

#include <string.h>

#if defined(__GNUC__) && defined(__SSE2__)
#include <immintrin.h>
#endif

#include "kernels/lanes.hpp"

namespace barpoint {
namespace {

// Activation of a first-layer unit: x - x |x|, where x is its sum and the square lies in the upper 16 bits of 32.
inline int activation_of(int sum) {
    constexpr int kMax = 32767, kCoarser = 4;
    static_assert((kMax + 1) >> kCoarser == kActivationSteps);
    sum = sum > kMax ? kMax : sum;
    sum = sum < -kMax ? -kMax : sum;
    const int size = sum < 0 ? -sum : sum;
    return (sum - (sum * size >> 16) + (1 << kCoarser) / 2) >> kCoarser;
}

#if defined(__GNUC__)

typedef int Words __attribute__((vector_size(kLanes * sizeof(int)), aligned(4), may_alias));

typedef short Shorts __attribute__((vector_size(kLanes * sizeof(short)), aligned(2), may_alias));
typedef short WideShorts __attribute__((vector_size(2 * kLanes * sizeof(short)), aligned(2), may_alias));

// Whole numbers of 16 bits stand in pairs, each pair in a lane of 32.
inline Words load_pairs(const short* from) { return *reinterpret_cast<const Words*>(from); }

// As many numbers of 16 bits, each in a lane of 32. GCC converts a whole register in five instructions where one does.
inline Words widened(const short* from) {
#if defined(__AVX512F__)
    return reinterpret_cast<Words>(_mm512_cvtepi16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#elif defined(__AVX2__)
    return reinterpret_cast<Words>(_mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#else
    return __builtin_convertvector(*reinterpret_cast<const Shorts*>(from), Words);
#endif
}

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

// given_by() of two registers of units: out[2 * kLanes].
inline void settle(Words low, Words high, short* out) {
    low >>= kShift;
    high >>= kShift;
#if defined(__AVX512BW__)
    __m512i sums = _mm512_packs_epi32(reinterpret_cast<__m512i>(low), reinterpret_cast<__m512i>(high));
    sums = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), sums);
    sums = _mm512_max_epi16(sums, _mm512_set1_epi16(-32767));
    sums = _mm512_sub_epi16(sums, _mm512_mulhi_epi16(sums, _mm512_abs_epi16(sums)));
    _mm512_storeu_si512(out, _mm512_mulhrs_epi16(sums, _mm512_set1_epi16(kActivationSteps)));
#elif defined(__AVX2__)
    __m256i sums = _mm256_packs_epi32(reinterpret_cast<__m256i>(low), reinterpret_cast<__m256i>(high));
    sums = _mm256_max_epi16(_mm256_permute4x64_epi64(sums, 0xD8), _mm256_set1_epi16(-32767));
    sums = _mm256_sub_epi16(sums, _mm256_mulhi_epi16(sums, _mm256_abs_epi16(sums)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_mulhrs_epi16(sums, _mm256_set1_epi16(kActivationSteps)));
#elif defined(__SSE2__)
    __m128i sums = _mm_packs_epi32(reinterpret_cast<__m128i>(low), reinterpret_cast<__m128i>(high));
    sums = _mm_max_epi16(sums, _mm_set1_epi16(-32767));
    const __m128i size = _mm_max_epi16(sums, _mm_sub_epi16(_mm_setzero_si128(), sums));
    sums = _mm_sub_epi16(sums, _mm_mulhi_epi16(sums, size));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_srai_epi16(_mm_add_epi16(sums, _mm_set1_epi16(8)), 4));
#else
    const auto write = [](Words sum, short* to) {
        for (int i = 0; i < kLanes; ++i) to[i] = static_cast<short>(activation_of(sum[i]));
    };
    write(low, out);
    write(high, out + kLanes);
#endif
}

constexpr int kTogether = 8;  // registers of sums, as many as there are with what they are made from

// sum += the sums of the pairs, of units that stand side by side.
template <int kSums>
inline void add_pairs(const short* weights, int width, const Pairs& pairs, Words (&sum)[kSums]) {
    for (int k = 0; k < pairs.count; ++k) {
        const short* row = weights + 2 * pairs.pair[k] * width;
        const Words x = Words{} + pairs.word[k];
        for (int i = 0; i < kSums; ++i) sum[i] = dot(sum[i], x, load_pairs(row + 2 * i * kLanes));
    }
}

// What the flags of a position add to the sums: in 16 bits, or wide where these do not hold it, or nothing.
struct FlagSums {
    const short* added;
    const int* wide;
};

// out = the weights of flags that are on, less those of flags that are off, of so many registers of units.
template <class Register, int kCount>
inline void sum_flags_of(const short* weights, int width, const Flags& flags, short* out) {
    constexpr int kUnits = sizeof(Register) / sizeof(short);
    Register sum[kCount] = {};
    for (int k = 0; k < flags.on; ++k) {
        const short* row = weights + flags.now_on[k] * width;
        for (int i = 0; i < kCount; ++i) sum[i] += *reinterpret_cast<const Register*>(row + i * kUnits);
    }
    for (int k = 0; k < flags.off; ++k) {
        const short* row = weights + flags.now_off[k] * width;
        for (int i = 0; i < kCount; ++i) sum[i] -= *reinterpret_cast<const Register*>(row + i * kUnits);
    }
    for (int i = 0; i < kCount; ++i) *reinterpret_cast<Register*>(out + i * kUnits) = sum[i];
}

FlagSums sum_flags(const FirstLayer& layer, int width, const Flags& flags, short* added, int* wide) {
    if (!layer.flags) return {nullptr, nullptr};
    const short* weights = layer.flags;
    if (flags.on + flags.off > layer.together) {
        for (int u = 0; u < width; ++u) {
            int sum = 0;
            for (int k = 0; k < flags.on; ++k) sum += weights[flags.now_on[k] * width + u];
            for (int k = 0; k < flags.off; ++k) sum -= weights[flags.now_off[k] * width + u];
            wide[u] = sum * kSteps;
        }
        return {nullptr, wide};
    }
    int at = 0;
    for (constexpr int kWide = kTogether * 2 * kLanes; at + kWide <= width; at += kWide) {
        sum_flags_of<WideShorts, kTogether>(weights + at, width, flags, added + at);
    }
    for (; at < width; at += kLanes) sum_flags_of<Shorts, 1>(weights + at, width, flags, added + at);
    return {added, nullptr};
}

// Units of a block, of which `width` begin at unit `first`: done(sums, at) for some that stand side by side, from unit `at` of the block on.
// start: their sums to begin with
template <class Done>
inline void gather_block(const FirstLayer& layer, int first, const int* start, int width, const Pairs& pairs, const FlagSums& flags, const Done& done) {
    const auto gather = [&](int at, auto& sums) {
        constexpr int kSums = sizeof sums / sizeof sums[0];
        for (int i = 0; i < kSums; ++i) sums[i] = *reinterpret_cast<const Words*>(start + at + i * kLanes);
        add_pairs(layer.pairs + 2 * (first * layer.rows + at), width, pairs, sums);
        for (int i = 0; i < kSums; ++i) {
            const int unit = first + at + i * kLanes;
            if (flags.added) sums[i] += widened(flags.added + unit) * kSteps;
            if (flags.wide) sums[i] += *reinterpret_cast<const Words*>(flags.wide + unit);
        }
        done(sums, at);
    };
    int at = 0;
    for (constexpr int kWide = kTogether * kLanes; at + kWide <= width; at += kWide) {
        Words sums[kTogether];
        gather(at, sums);
    }
    for (; at < width; at += kLanes) {
        Words sums[1];
        gather(at, sums);
    }
}

// out = the sums of the units of a block; start and out may be the same
inline void gather_of(const FirstLayer& layer, int first, const int* start, int width, const Pairs& pairs, const FlagSums& flags, int* out) {
    gather_block(layer, first, start, width, pairs, flags, [&](const auto& sums, int at) {
        for (const Words& sum : sums) {
            *reinterpret_cast<Words*>(out + at) = sum;
            at += kLanes;
        }
    });
}

// out = the activations of such sums, which are kept in `last` too
inline void hidden_of(const FirstLayer& layer, int first, const int* start, int width, const Pairs& pairs, const FlagSums& flags, int* last,
                      short* out) {
    gather_block(layer, first, start, width, pairs, flags, [&](const auto& sums, int at) {
        constexpr int kSums = sizeof sums / sizeof sums[0];
        for (int i = 0; i < kSums; ++i) *reinterpret_cast<Words*>(last + at + i * kLanes) = sums[i];
        if constexpr (kSums > 1) {
            for (int i = 0; i < kSums; i += 2) settle(sums[i], sums[i + 1], out + at + i * kLanes);
        } else {
            short activations[2 * kLanes];
            settle(sums[0], Words{}, activations);
            memcpy(out + at, activations, kLanes * sizeof(short));
        }
    });
}

// So many vectors of rows with so many inputs: a weight is loaded once for all of them.
template <int kVectors, int kInputs>
inline void products_pairs_block(const short* weights, int rows, int width, const short* in, int* out) {
    Words sum[kInputs][kVectors];
    for (int c = 0; c < kInputs; ++c) {
        for (int v = 0; v < kVectors; ++v) sum[c][v] = Words{};
    }
    for (int i = 0; i < width; i += 2) {
        Words row[kVectors];
        for (int v = 0; v < kVectors; ++v) row[v] = load_pairs(weights + i * rows + 2 * v * kLanes);
        for (int c = 0; c < kInputs; ++c) {
            const Words x = repeat(in + c * width + i);
            for (int v = 0; v < kVectors; ++v) sum[c][v] = dot(sum[c][v], row[v], x);
        }
    }
    for (int c = 0; c < kInputs; ++c) {
        for (int v = 0; v < kVectors; ++v) *reinterpret_cast<Words*>(out + c * rows + v * kLanes) = sum[c][v];
    }
}

constexpr int kVectorsAtOnce = kLanes == 16 ? 4 : 2;  // as many sums of four inputs as there are registers for

template <int kInputs>
inline void products_pairs_of(const short* weights, int rows, int width, const short* in, int* out) {
    int r = 0;
    for (constexpr int kWide = kVectorsAtOnce * kLanes; r + kWide <= rows; r += kWide) {
        products_pairs_block<kVectorsAtOnce, kInputs>(weights + 2 * r, rows, width, in, out + r);
    }
    for (; r < rows; r += kLanes) products_pairs_block<1, kInputs>(weights + 2 * r, rows, width, in, out + r);
}

void products_pairs(const short* weights, int rows, int width, const short* in, int count, int* out) {
    int c = 0;
    for (; c + 4 <= count; c += 4) products_pairs_of<4>(weights, rows, width, in + c * width, out + c * rows);
    for (; c + 2 <= count; c += 2) products_pairs_of<2>(weights, rows, width, in + c * width, out + c * rows);
    if (c < count) products_pairs_of<1>(weights, rows, width, in + c * width, out + c * rows);
}

#if defined(__AVX512BW__)

// Pairs that differ from the base, by how much, and where their weights begin.
struct Changes {
    static constexpr int kMax = 1024;
    int count = 0;
    int word[kMax + kLanes], at[kMax + kLanes];

    Changes(const short* base, const short* now, int width, int rows) {
        const __m512i stride = _mm512_set1_epi32(2 * rows * kLanes);
        __m512i from = _mm512_mullo_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                                          _mm512_set1_epi32(2 * rows));
        for (int i = 0; i + 2 * kLanes <= width; i += 2 * kLanes) {
            const __m512i less = _mm512_sub_epi16(_mm512_loadu_si512(now + i), _mm512_loadu_si512(base + i));
            const __mmask16 differ = _mm512_test_epi32_mask(less, less);
            _mm512_storeu_si512(word + count, _mm512_maskz_compress_epi32(differ, less));
            _mm512_storeu_si512(at + count, _mm512_maskz_compress_epi32(differ, from));
            count += __builtin_popcount(differ);
            from = _mm512_add_epi32(from, stride);
        }
    }
};

// Two changes at a time, whose sums need not wait for each other.
template <int kVectors>
inline void add_changes(const short* weights, const Changes& changes, const int* known, int* out) {
    Words sum[2][kVectors];
    for (int v = 0; v < kVectors; ++v) {
        sum[0][v] = *reinterpret_cast<const Words*>(known + v * kLanes);
        sum[1][v] = Words{};
    }
    const auto add = [&](Words (&to)[kVectors], int k) {
        const short* row = weights + changes.at[k];
        const Words x = Words{} + changes.word[k];
        for (int v = 0; v < kVectors; ++v) to[v] = dot(to[v], x, load_pairs(row + 2 * v * kLanes));
    };
    int k = 0;
    for (; k + 2 <= changes.count; k += 2) {
        add(sum[0], k);
        add(sum[1], k + 1);
    }
    if (k < changes.count) add(sum[0], k);
    for (int v = 0; v < kVectors; ++v) *reinterpret_cast<Words*>(out + v * kLanes) = sum[0][v] + sum[1][v];
}

void products_beside(const short* weights, int rows, int width, const short* base, const int* known, const short* in, int count,
                     int* out) {
    if (width % (2 * kLanes) || width > 2 * Changes::kMax) return products_pairs(weights, rows, width, in, count, out);
    for (int c = 0; c < count; ++c) {
        const Changes changes(base, in + c * width, width, rows);
        int r = 0;
        for (; r + 4 * kLanes <= rows; r += 4 * kLanes) add_changes<4>(weights + 2 * r, changes, known + r, out + c * rows + r);
        for (; r < rows; r += kLanes) add_changes<1>(weights + 2 * r, changes, known + r, out + c * rows + r);
    }
}

#endif

#else

struct FlagSums {
    const int* wide;  // or nothing
};

FlagSums sum_flags(const FirstLayer& layer, int width, const Flags& flags, short*, int* wide) {
    if (!layer.flags) return {nullptr};
    const short* weights = layer.flags;
    for (int u = 0; u < width; ++u) {
        int sum = 0;
        for (int k = 0; k < flags.on; ++k) sum += weights[flags.now_on[k] * width + u];
        for (int k = 0; k < flags.off; ++k) sum -= weights[flags.now_off[k] * width + u];
        wide[u] = sum * kSteps;
    }
    return {wide};
}

inline void gather_of(const FirstLayer& layer, int first, const int* start, int width, const Pairs& pairs, const FlagSums& flags, int* out) {
    const short* weights = layer.pairs + 2 * first * layer.rows;
    for (int i = 0; i < width; ++i) {
        unsigned sum = static_cast<unsigned>(start[i]);  // on the way it may pass the ends, from where it comes back
        for (int k = 0; k < pairs.count; ++k) {
            const short* pair = weights + 2 * (pairs.pair[k] * width + i);
            sum += static_cast<unsigned>(pair[0] * static_cast<short>(pairs.word[k]));
            sum += static_cast<unsigned>(pair[1] * (pairs.word[k] >> 16));
        }
        if (flags.wide) sum += static_cast<unsigned>(flags.wide[first + i]);
        out[i] = static_cast<int>(sum);
    }
}

inline void hidden_of(const FirstLayer& layer, int first, const int* start, int width, const Pairs& pairs, const FlagSums& flags, int* last,
                      short* out) {
    gather_of(layer, first, start, width, pairs, flags, last);
    for (int i = 0; i < width; ++i) out[i] = static_cast<short>(activation_of(last[i] >> kShift));
}

void products_pairs(const short* weights, int rows, int width, const short* in, int count, int* out) {
    for (int c = 0; c < count; ++c, in += width, out += rows) {
        for (int r = 0; r < rows; ++r) {
            out[r] = 0;
            for (int i = 0; i < width; ++i) out[r] += weights[(i / 2 * rows + r) * 2 + i % 2] * in[i];
        }
    }
}

#endif

// Calls work(first, width) for each block of units.
template <class Work>
inline void each_block(int width, const Work& work) {
    for (int first = 0; first < width; first += kBlock) work(first, width - first < kBlock ? width - first : kBlock);
}

void gather_pairs(const FirstLayer& layer, const int* start, int width, const Pairs& pairs, const Flags& flags, int* out) {
    short added[kMaxWidth];
    int wide[kMaxWidth];
    const FlagSums sums = sum_flags(layer, width, flags, added, wide);
    each_block(width, [&](int first, int block) { gather_of(layer, first, start + first, block, pairs, sums, out + first); });
}

void hidden_pairs(const FirstLayer& layer, const int* start, int width, const Pairs* pairs, const Flags* flags, int count, bool chained, short* out) {
    short added[kBatchPositions][kMaxWidth];
    int wide[kBatchPositions][kMaxWidth], last[kBlock];
    FlagSums sums[kBatchPositions];
    for (int c = 0; c < count; ++c) sums[c] = sum_flags(layer, width, flags[c], added[c], wide[c]);
    each_block(width, [&](int first, int block) {
        for (int c = 0; c < count; ++c) {
            const int* from = chained && c > 0 ? last : start + first;
            hidden_of(layer, first, from, block, pairs[c], sums[c], last, out + c * width + first);
        }
    });
}

#if defined(__GNUC__) && defined(__AVX512F__)

void append(const FeatureBatch& words, int row, int rows, int pair, int count, Pairs* out) {
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i places = _mm512_mullo_epi32(lanes, _mm512_set1_epi32(kBatchPositions));
    for (int at = 0; at < rows; at += 16) {
        const auto some = static_cast<__mmask16>(rows - at < 16 ? (1 << (rows - at)) - 1 : 0xFFFF);
        const __m512i numbers = _mm512_add_epi32(lanes, _mm512_set1_epi32(pair + at));
        for (int c = 0; c < count; ++c) {
            const __m512i found = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), some, places, &words[row + at][c], 4);
            const __mmask16 differ = _mm512_test_epi32_mask(found, found);
            Pairs& to = out[c];
            _mm512_mask_compressstoreu_epi32(to.word + to.count, differ, found);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to.pair + to.count),
                                _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(differ, numbers)));
            to.count += __builtin_popcount(differ);
        }
    }
}

#else

// Without branches: which words differ is hard to predict.
void append(const FeatureBatch& words, int row, int rows, int pair, int count, Pairs* out) {
    for (int c = 0; c < count; ++c) {
        int at = out[c].count;
        for (int r = 0; r < rows; ++r) {
            const int word = words[row + r][c];
            out[c].pair[at] = static_cast<unsigned short>(pair + r);
            out[c].word[at] = word;
            at += word != 0;
        }
        out[c].count = at;
    }
}

#endif

#if !defined(__GNUC__) || !defined(__AVX512BW__)
// To find what differs takes longer here than to take it all.
void products_beside(const short* weights, int rows, int width, const short*, const int*, const short* in, int count, int* out) {
    products_pairs(weights, rows, width, in, count, out);
}
#endif

// Rounded to the steps of the int16 kernel, so that both kernels give the same activations.
void activate(float* values, int n) {
    constexpr int kMax = 1 << 15;
    for (int i = 0; i < n; ++i) {
        float sum = values[i] > -kActivationRange ? values[i] : -kActivationRange;
        sum = sum < kActivationRange ? sum : kActivationRange;
        const int whole = static_cast<int>((sum + kActivationRange) * (kMax / kActivationRange) + 0.5f) - kMax;
        values[i] = static_cast<float>(activation_of(whole) + kActivationSteps / 2) * (1.0f / kActivationSteps);
    }
}

}  // namespace

extern const Int16Kernel BARPOINT_NAME(int16_, BARPOINT_KERNEL);
const Int16Kernel BARPOINT_NAME(int16_, BARPOINT_KERNEL) = {gather_pairs, hidden_pairs, append, products_pairs, products_beside, activate};

}  // namespace barpoint
