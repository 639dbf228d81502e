#include "bearoff.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace barpoint {

namespace {

constexpr int kLargest = kMostHome + kHomePoints;

constexpr auto kChoose = [] {
    std::array<std::array<std::uint32_t, kHomePoints + 1>, kLargest + 1> table = {};
    for (int n = 0; n <= kLargest; ++n) {
        table[n][0] = 1;
        for (int k = 1; k <= kHomePoints && k <= n; ++k) table[n][k] = table[n - 1][k - 1] + (k < n ? table[n - 1][k] : 0);
    }
    return table;
}();

// Positions of exactly `checkers` on the points 1..points.
std::uint32_t ways(int checkers, int points) { return kChoose[checkers + points - 1][points - 1]; }

}  // namespace

std::uint32_t home_count(int checkers) { return kChoose[checkers + kHomePoints][kHomePoints]; }

std::int64_t home_index(const Side& side, int most) {
    int left = 0;
    for (int point = 1; point <= kHomePoints; ++point) left += side.points[point];
    if (left > most || left + side.points[kOff] != side.total() || side.pinned) return -1;
    std::uint32_t index = left ? home_count(left - 1) : 0;
    for (int point = kHomePoints; point > 1; --point) {
        // Those with fewer checkers on this point come first.
        for (int fewer = 0; fewer < side.points[point]; ++fewer) index += ways(left - fewer, point - 1);
        left -= side.points[point];
    }
    return index;
}

Side home_side(std::uint32_t index, int checkers) {
    int left = 0;
    while (home_count(left) <= index) ++left;
    Side side;
    side.points[kOff] = static_cast<std::uint8_t>(checkers - left);
    std::uint32_t rank = index - (left ? home_count(left - 1) : 0);
    for (int point = kHomePoints; point > 1; --point) {
        while (rank >= ways(left, point - 1)) {
            rank -= ways(left, point - 1);
            --left;
            ++side.points[point];
        }
    }
    side.points[1] = static_cast<std::uint8_t>(left);
    return side;
}

const std::vector<HomeResult>& HomePlays::results(std::uint32_t index, int row) {
    Position position;
    position.us = home_side(index, rules_.checkers);
    position.them.points[kBar] = 1;  // on nobody's way, whatever the meeting
    position.them.points[kOff] = static_cast<std::uint8_t>(rules_.checkers - 1);
    generate(rules_, position, row, buffer_);
    results_.clear();
    for (std::size_t i = 0; i < buffer_.size(); ++i) {
        const auto next = static_cast<std::uint32_t>(home_index(buffer_.result(i).us, kMostHome));
        results_.push_back({next, buffer_.again(i)});
    }
    return results_;
}

void check_home_checkers(const Rules& rules, int checkers) {
    const int most = rules.checkers < kMostHome ? rules.checkers : kMostHome;
    if (checkers < 1 || checkers > most) {
        throw std::invalid_argument(std::to_string(checkers) + " checkers a side; a table has 1 to " + std::to_string(most));
    }
}

}  // namespace barpoint
