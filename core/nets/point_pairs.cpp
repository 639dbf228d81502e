#include "nets/point_pairs.hpp"

#include <bit>
#include <cstring>

namespace barpoint {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101u, kHighs = 0x80 * kOnes;

// The high bit of each byte as 8 bits, the first byte in the lowest.
std::uint32_t high_bits(std::uint64_t bytes) { return static_cast<std::uint32_t>((bytes & kHighs) / 0x80 * 0x0102040810204080u >> 56); }

std::uint64_t reversed_bytes(std::uint64_t bytes) {
    std::uint64_t out = 0;
    for (int byte = 0; byte < 8; ++byte) out = out << 8 | (bytes >> 8 * byte & 0xFF);
    return out;
}

// Points with at least `count` checkers, bit p - 1 for point p; in the other side's numbering if reversed.
std::uint32_t points_with(const Side& side, std::uint64_t count, bool reversed = false) {
    std::uint32_t found = 0;
    for (int part = 0; part < 3; ++part) {
        std::uint64_t bytes;
        std::memcpy(&bytes, side.points + 1 + 8 * part, sizeof bytes);
        if (reversed) bytes = reversed_bytes(bytes);
        found |= high_bits(bytes + (0x80 - count) * kOnes) << 8 * (reversed ? 2 - part : part);
    }
    return found;
}

constexpr auto kFirsts = [] {  // the first input of each kind of both sides
    std::array<int, 2 * PointPairs::kKinds> firsts = {};
    for (int kind = 0; kind < PointPairs::kKinds; ++kind) {
        firsts[kind] = PointPairs::kFirst[kind];
        firsts[PointPairs::kKinds + kind] = PointPairs::kInputs + PointPairs::kFirst[kind];
    }
    return firsts;
}();

}  // namespace

PointPairs::PointPairs(const Position& position) {
    add(position.us, position.them, set_.data());
    add(position.them, position.us, set_.data() + kKinds / 2);
}

void PointPairs::add(const Side& side, const Side& other, std::uint64_t* out) {
    const std::uint64_t made = points_with(side, 2), blots = points_with(side, 1) & ~made, met = points_with(other, 1, true);
    const auto ahead = [&out](int most, std::uint64_t points, std::uint64_t others) {  // points that lie ahead of others
        for (int apart = 1; apart < most; apart += 2) *out++ = (points >> apart & others) | (points >> (apart + 1) & others) << 32;
    };
    ahead(kMade, made, made);
    ahead(kShots, blots, met);
    ahead(kBlocks, made, met);
}

void PointPairs::compare(const PointPairs& from, Flags& out) const {
    std::uint32_t differ = 0;  // words, found without branches, which would be mispredicted
    for (int word = 0; word < kKinds; ++word) differ |= std::uint32_t{set_[word] != from.set_[word]} << word;
    out.on = out.off = 0;
    for (; differ; differ &= differ - 1) {
        const int word = std::countr_zero(differ);
        const std::uint64_t now = set_[word];
        for (std::uint64_t left = now ^ from.set_[word]; left; left &= left - 1) {
            const int bit = std::countr_zero(left), is_on = static_cast<int>(now >> bit & 1);
            out.now_on[out.on] = out.now_off[out.off] = static_cast<unsigned short>(kFirsts[2 * word + bit / 32] + bit % 32);  // one of the two counts
            out.on += is_on;
            out.off += 1 - is_on;
        }
    }
}

}  // namespace barpoint
