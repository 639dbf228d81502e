// IEEE half floats, in which nets are stored: half the size, no loss of strength.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace barpoint {

inline float from_half(std::uint16_t half) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    float value;
    if (exponent == 0) {
        value = std::ldexp(static_cast<float>(fraction), -24);
    } else if (exponent == 31) {
        value = fraction ? NAN : INFINITY;
    } else {
        value = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    }
    return half >> 15 ? -value : value;
}

// The nearest half float, ties to even; the largest one beyond the range.
inline std::uint16_t to_half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const float size = std::fabs(value);
    if (!(size < 65504.0f)) return static_cast<std::uint16_t>(sign | 0x7BFFu);
    if (size < 0x1p-14f) return static_cast<std::uint16_t>(sign | std::lrint(std::ldexp(size, 24)));
    int exponent;
    const float fraction = std::frexp(size, &exponent);  // 0.5 <= fraction < 1
    const long scaled = std::lrint(std::ldexp(fraction, 11)) - 1024;  // 1024 carries into the exponent
    return static_cast<std::uint16_t>(sign | (((exponent + 14) << 10) + scaled));
}

}  // namespace barpoint
