// The checksum at the end of files of nets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace barpoint {

// FNV-1a: finds damage, not forgery.
inline std::uint64_t checksum(const char* bytes, std::size_t count) {
    std::uint64_t sum = 0xCBF29CE484222325u;
    for (std::size_t i = 0; i < count; ++i) sum = (sum ^ static_cast<unsigned char>(bytes[i])) * 0x100000001B3u;
    return sum;
}

}  // namespace barpoint
