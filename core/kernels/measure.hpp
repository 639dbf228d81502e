// What is computed of positions, besides what stands where: the same numbers on every instruction set.
#pragma once

namespace barpoint {

// Of each side, in this order; then of both: contact, and the lead in the race.
inline constexpr int kSideMeasures = 36;
inline constexpr int kBothMeasures = 2;
inline constexpr int kMeasures = 2 * kSideMeasures + kBothMeasures;
inline constexpr int kMeasuredTogether = 16;

// positions: `count` of them, kMeasuredTogether at most, 64 bytes each as Position has them. out[measure][position].
using Measure = void (*)(const unsigned char* positions, int count, float (*out)[kMeasuredTogether]);

// Numbers [count][position], in whole numbers of 16 bits less those of a base: so many times `scale`, rounded. Two and two
// of them share a word, [count / 2][position], the first in its lower half; count is even. bound[position] grows by what
// products with weights of `most` at most can add up to, far beyond 32 bits where 16 do not hold one of the numbers.
inline constexpr float kLargestInput = 6;  // what is larger counts as this
using PairUp = void (*)(const float (*values)[kMeasuredTogether], int count, const float* scale, const int* base,
                        const float* most, int (*words)[kMeasuredTogether], float* bound);

}  // namespace barpoint
