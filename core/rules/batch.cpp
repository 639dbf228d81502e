#include "rules/batch.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace barpoint {

namespace {

void reserve(Packed& out, std::size_t size) {
    if (size <= out.room) return;
    const std::size_t room = std::max(size, out.room + out.room / 2);
    void* results = std::realloc(out.results, room * sizeof(Position));
    if (!results) throw std::bad_alloc();
    out.results = static_cast<std::uint8_t*>(results);
    void* again = std::realloc(out.again, room);
    if (!again) throw std::bad_alloc();
    out.again = static_cast<std::uint8_t*>(again);
    out.room = room;
}

}  // namespace

void generate_batch(const Rules& rules, const std::uint8_t* positions, const std::int64_t* rows, std::size_t count,
                    std::int64_t* offsets, Packed& out) {
    PlayBuffer plays;
    reserve(out, 20 * count + 16);  // random games of backgammon average 18 results
    offsets[0] = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Position position;
        std::memcpy(&position, positions + i * sizeof(Position), sizeof(Position));
        generate(rules, position, static_cast<int>(rows[i]), plays);
        reserve(out, out.size + plays.size());
        std::memcpy(out.results + out.size * sizeof(Position), plays.begin(), plays.size() * sizeof(Position));
        std::memcpy(out.again + out.size, plays.flags(), plays.size());
        out.size += plays.size();
        offsets[i + 1] = static_cast<std::int64_t>(out.size);
    }
}

}  // namespace barpoint
