// Inputs for two points together, 0 or 1 each, of one side and the other's checkers: docs/decisions/0018-point-pairs.md.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/kernel.hpp"
#include "rules/position.hpp"

namespace barpoint {

class PointPairs {
  public:
    static constexpr int kPoints = 24;
    // How far apart two points may be, in pips.
    static constexpr int kMade = 6;    // both made by the side
    static constexpr int kShots = 12;  // a blot of the side, and a checker of the other side that has it before it
    static constexpr int kBlocks = 6;  // the same of a point that the side has made
    static constexpr int kKinds = kMade + kShots + kBlocks;

    // The first input of a kind; its others follow, one for each place of the two points on the board.
    static constexpr std::array<int, kKinds + 1> kFirst = [] {
        std::array<int, kKinds + 1> first = {};
        int kind = 0;
        for (int most : {kMade, kShots, kBlocks}) {
            for (int apart = 1; apart <= most; ++apart, ++kind) first[kind + 1] = first[kind] + kPoints - apart;
        }
        return first;
    }();
    static constexpr int kInputs = kFirst[kKinds];  // of one side

    explicit PointPairs(const Position& position);

    // The inputs that differ, by number; those of `them` come after those of `us`.
    void compare(const PointPairs& from, Flags& out) const;

  private:
    static void add(const Side& side, const Side& other, std::uint64_t* out);

    std::array<std::uint64_t, kKinds> set_;  // a bit for each input, two kinds in a word, from bit 0 and bit 32 on
};

static_assert(2 * PointPairs::kInputs <= kMaxFlags);

}  // namespace barpoint
