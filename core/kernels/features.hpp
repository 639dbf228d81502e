// Features computed from positions, besides checker counts: the same numbers on every instruction set.
#pragma once

namespace barpoint {

// Of each side; then of both: contact, and the lead in the race.
inline constexpr int kSideFeatures = 36;
inline constexpr int kSharedFeatures = 2;
inline constexpr int kFeatures = 2 * kSideFeatures + kSharedFeatures;
inline constexpr int kBatchPositions = 16;  // 32 were 1 % faster, not kept: benchmarks/results.md, "Tried and reverted"

// Inputs are multiples of 1 / kSteps (docs/decisions/0008). No input reaches 8, so 16 bits hold the difference of two.
inline constexpr int kSteps = 2048;

// [feature / 2][position] in steps. Two features share a word, the first in its lower half: those that often change
// together, so that few words change.
using FeatureBatch = int[kFeatures / 2][kBatchPositions];

// What checkers of the two sides do to each other, as features see it.
enum class Interaction {
    hits,    // opposite directions; two close a point, a single one is hit
    pins,    // opposite directions; two close a point, a single one is pinned, and closed by what pins it
    blocks,  // the same way round from opposite corners; one closes a point
    walls,   // opposite directions; one closes a point
    chases,  // the same way round from the same quarter; two close a point, a single one is hit
};

// positions: `count` of them, kBatchPositions at most, 64 bytes each as Position has them.
using FeatureFunction = void (*)(const unsigned char* positions, int count, Interaction interaction, FeatureBatch& out);

}  // namespace barpoint
