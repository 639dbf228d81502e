#include "kernels/dispatch.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(BARPOINT_X86) && defined(_MSC_VER)
#include <intrin.h>
#endif

namespace barpoint {

#if defined(BARPOINT_X86)
const Kernel* kernel_baseline();
const Kernel* kernel_avx2();
const Kernel* kernel_avx512();
#if !defined(_MSC_VER)
const Kernel* kernel_avx512_vnni();
#endif
#elif defined(BARPOINT_ARM64)
const Kernel* kernel_neon();
#else
const Kernel* kernel_baseline();
#endif

namespace {

#if defined(BARPOINT_X86)
bool has_avx2() {
#if defined(_MSC_VER)
    int leaf1[4], leaf7[4];
    __cpuid(leaf1, 1);
    __cpuidex(leaf7, 7, 0);
    const bool saved = (leaf1[2] >> 27 & 1) && (_xgetbv(0) & 6) == 6;
    return saved && (leaf1[2] >> 12 & 1) && (leaf7[1] >> 5 & 1);
#else
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
}

bool has_avx512() {
#if defined(_MSC_VER)
    int leaf7[4];
    __cpuidex(leaf7, 7, 0);
    const unsigned wanted = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;  // f, dq, bw, vl
    return has_avx2() && (_xgetbv(0) & 0xE6) == 0xE6 && (static_cast<unsigned>(leaf7[1]) & wanted) == wanted;
#else
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
}
#endif

// Kernels this machine can run, slowest first.
std::vector<const Kernel*> runnable() {
#if defined(BARPOINT_X86)
    std::vector<const Kernel*> found = {kernel_baseline()};
    if (has_avx2()) found.push_back(kernel_avx2());
    if (has_avx512()) found.push_back(kernel_avx512());
#if !defined(_MSC_VER)
    if (has_avx512() && __builtin_cpu_supports("avx512vnni")) found.push_back(kernel_avx512_vnni());
#endif
    return found;
#elif defined(BARPOINT_ARM64)
    return {kernel_neon()};
#else
    return {kernel_baseline()};
#endif
}

const Kernel& choose() {
    const std::vector<const Kernel*> found = runnable();
    const char* wanted = std::getenv("BARPOINT_ISA");
    if (!wanted || !*wanted) return *found.back();
    std::string known;
    for (const Kernel* each : found) {
        if (std::string(each->isa) == wanted) return *each;
        known += (known.empty() ? "" : ", ") + std::string(each->isa);
    }
    throw std::invalid_argument("BARPOINT_ISA is " + std::string(wanted) + "; this machine runs " + known);
}

}  // namespace

const Kernel& kernel() {
    static const Kernel& chosen = choose();
    return chosen;
}

}  // namespace barpoint
