// What is computed of positions, besides what stands where: the same numbers on every instruction set.
#pragma once

namespace barpoint {

// Of each side; then of both: contact, and the lead in the race.
inline constexpr int kSideMeasures = 36;
inline constexpr int kBothMeasures = 2;
inline constexpr int kMeasures = 2 * kSideMeasures + kBothMeasures;
inline constexpr int kMeasuredTogether = 16;

// What a net sees is counted in steps, so many to 1. No input is 8 or more, so that 16 bits hold what two differ by.
inline constexpr int kSteps = 2048;

// [measure / 2][position] in steps. Two and two share a word, the first in its lower half: those that often change together,
// so that few words do.
using Measures = int[kMeasures / 2][kMeasuredTogether];

// positions: `count` of them, kMeasuredTogether at most, 64 bytes each as Position has them.
using Measure = void (*)(const unsigned char* positions, int count, Measures& out);

}  // namespace barpoint
