// Legal plays of many (position, roll) pairs at once, packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "rules/plays.hpp"

namespace barpoint {

// Results of all pairs one after the other, in memory that realloc may move without copying.
struct Packed {
    std::uint8_t* results = nullptr;  // [size, 64]
    std::uint8_t* again = nullptr;    // [size]
    std::size_t size = 0, room = 0;

    Packed() = default;
    Packed(const Packed&) = delete;
    Packed& operator=(const Packed&) = delete;
    ~Packed() {
        std::free(results);
        std::free(again);
    }
};

// positions: [count, 64]; rows: [count]; offsets: [count + 1], set: results of pair i are offsets[i]..offsets[i + 1].
// Everything was checked before. Rolls std::bad_alloc.
void generate_batch(const Rules& rules, const std::uint8_t* positions, const std::int64_t* rows, std::size_t count,
                    std::int64_t* offsets, Packed& out);

}  // namespace barpoint
