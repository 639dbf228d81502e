// The phases of a game that a net may tell apart: each with weights of its own behind the first layer.
#pragma once

#include <cstdint>
#include <cstring>

#include "rules/position.hpp"

namespace barpoint {

inline constexpr std::uint32_t kPhases = 8;

namespace phases {

// Checkers on points 19 to 24, on the bar and in the hand.
inline int back(const Side& side) {
    std::uint64_t places;
    std::memcpy(&places, side.points + 19, sizeof places);
    return static_cast<int>(places * 0x0101010101010101u >> 56);
}

}  // namespace phases

// 0 without contact, 1 where somebody bears off; else by how many checkers each side has back, none, some or three and more.
inline std::uint32_t phase_of(const Position& position, bool contact) {
    if (!contact) return 0;
    if (position.us.points[kOff] || position.them.points[kOff]) return 1;
    const int ours = phases::back(position.us), theirs = phases::back(position.them);
    if (ours >= 3) return theirs >= 3 ? 2 : 3;
    if (theirs >= 3) return 4;
    if (ours == 0) return 7;
    return theirs ? 5 : 6;
}

}  // namespace barpoint
