// For sources that are compiled once for each instruction set, with -DBARPOINT_KERNEL=its name: how they are named, and how
// many numbers of 32 bits a register of the set holds; 1 where the compiler has no types for registers.
#pragma once

#define BARPOINT_JOIN(a, b) a##b
#define BARPOINT_NAME(a, b) BARPOINT_JOIN(a, b)

namespace barpoint {

#if !defined(__GNUC__)
constexpr int kLanes = 1;
#elif defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif

}  // namespace barpoint
