// Which of many plays are worth a closer look.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace barpoint {

// So many of the plays that were judged best, and none more than this below the very best.
struct Filter {
    std::size_t most;
    float margin;
};

// Calls keep(i) for those of `order` that the filter lets through, best first, by merit(i). Ties go to the first.
template <class Merit, class Keep>
void for_best(std::span<std::uint32_t> order, const Filter& filter, Merit&& merit, Keep&& keep) {
    const std::size_t count = std::min(order.size(), filter.most);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), [&](auto a, auto b) {
        const auto one = merit(a), two = merit(b);
        return one > two || (one == two && a < b);
    });
    for (std::size_t i = 0; i < count && merit(order[i]) >= merit(order[0]) - filter.margin; ++i) keep(order[i]);
}

}  // namespace barpoint
