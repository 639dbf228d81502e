#include "tables/bearoff.hpp"

#include <stdexcept>
#include <string>

namespace barpoint {

const std::vector<HomeResult>& HomePlays::results(std::uint32_t index, int row) {
    Position position;
    position.us = home_side(index, rules_.checkers);
    position.them.points[kBar] = 1;  // on nobody's way, whatever the meeting
    position.them.points[kOff] = static_cast<std::uint8_t>(rules_.checkers - 1);
    generate(rules_, position, row, buffer_);
    results_.clear();
    for (std::size_t i = 0; i < buffer_.size(); ++i) {
        const auto next = static_cast<std::uint32_t>(home_index(buffer_.result(i).us, kMaxHome));
        results_.push_back({next, buffer_.again(i)});
    }
    return results_;
}

void check_home_checkers(const Rules& rules, int checkers) {
    const int most = rules.checkers < kMaxHome ? rules.checkers : kMaxHome;
    if (checkers < 1 || checkers > most) {
        throw std::invalid_argument(std::to_string(checkers) + " checkers a side; a table has 1 to " + std::to_string(most));
    }
}

}  // namespace barpoint
