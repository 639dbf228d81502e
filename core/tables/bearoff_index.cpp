#include "tables/bearoff_index.hpp"

#include <array>

namespace barpoint {

namespace {

constexpr int kLargest = 29;  // 25 points and 4 checkers
constexpr int kMaxPoints = 25;

// Those in use fit 32 bits; the others are never read.
constexpr auto kChoose = [] {
    std::array<std::array<std::uint32_t, kMaxPoints + 1>, kLargest + 1> table = {};
    for (int n = 0; n <= kLargest; ++n) {
        table[n][0] = 1;
        for (int k = 1; k <= kMaxPoints && k <= n; ++k) table[n][k] = table[n - 1][k - 1] + (k < n ? table[n - 1][k] : 0);
    }
    return table;
}();

// Configurations of exactly `checkers` on the points 1..points.
std::uint32_t ways(int checkers, int points) { return kChoose[checkers + points - 1][points - 1]; }

}  // namespace

std::uint32_t configuration_count(int checkers, int points) { return kChoose[checkers + points][points]; }

std::int64_t configuration_index(const Side& side, int most, int points) {
    int left = 0;
    for (int point = 1; point <= points; ++point) left += side.points[point];
    if (left > most || left + side.points[kOff] != side.total() || side.pinned) return -1;
    std::uint32_t index = left ? configuration_count(left - 1, points) : 0;
    for (int point = points; point > 1; --point) {
        // Those with fewer checkers on this point come first.
        for (int fewer = 0; fewer < side.points[point]; ++fewer) index += ways(left - fewer, point - 1);
        left -= side.points[point];
    }
    return index;
}

Side configuration_side(std::uint32_t index, int checkers, int points) {
    int left = 0;
    while (configuration_count(left, points) <= index) ++left;
    Side side;
    side.points[kOff] = static_cast<std::uint8_t>(checkers - left);
    std::uint32_t rank = index - (left ? configuration_count(left - 1, points) : 0);
    for (int point = points; point > 1; --point) {
        while (rank >= ways(left, point - 1)) {
            rank -= ways(left, point - 1);
            --left;
            ++side.points[point];
        }
    }
    side.points[1] = static_cast<std::uint8_t>(left);
    return side;
}

}  // namespace barpoint
