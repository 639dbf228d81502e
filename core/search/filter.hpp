// Which of many plays are searched further.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace barpoint {

// At most so many plays, or one in `share` of all where that is more: the best ones, none of them more than the margin below the best.
struct Filter {
    std::size_t most;
    float margin;
    std::size_t share = 0;  // 0: however many there are

    std::size_t of(std::size_t plays) const { return share ? std::max(most, plays / share) : most; }
};

// Calls keep(i) for the entries of `order` that pass the filter, best merit(i) first; ties go to the first.
template <class Merit, class Keep>
void for_best(std::span<std::uint32_t> order, const Filter& filter, Merit&& merit, Keep&& keep) {
    const std::size_t count = std::min(order.size(), filter.of(order.size()));
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), [&](auto a, auto b) {
        const auto one = merit(a), two = merit(b);
        return one > two || (one == two && a < b);
    });
    for (std::size_t i = 0; i < count && merit(order[i]) >= merit(order[0]) - filter.margin; ++i) keep(order[i]);
}

}  // namespace barpoint
