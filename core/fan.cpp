#include "fan.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace barpoint {

void Fan::sum() {
    net_->version().encode(base_, inputs_);
    std::fill_n(dense_, net_->version().size, 0.0f);
    std::fill(std::begin(present_), std::end(present_), 0u);
    for (int k = 0; k < inputs_.count; ++k) {
        dense_[inputs_.index[k]] = inputs_.value[k];
        present_[inputs_.index[k] / 64] |= std::uint64_t{1} << (inputs_.index[k] % 64);
    }
    net_->gather(net_->first_bias.data(), inputs_, sums_);
    summed_ = true;
}

// What is to be added to the inputs of the base to get these.
void Fan::difference(const Inputs& inputs) {
    changed_.count = 0;
    std::uint64_t gone[kMostInputs / 64];
    std::copy(std::begin(present_), std::end(present_), gone);
    for (int k = 0; k < inputs.count; ++k) {
        const int at = inputs.index[k];
        gone[at / 64] &= ~(std::uint64_t{1} << (at % 64));
        changed_.index[changed_.count] = static_cast<std::uint16_t>(at);
        changed_.value[changed_.count] = inputs.value[k] - dense_[at];
        changed_.count += changed_.value[changed_.count] != 0.0f;
    }
    for (int word = 0; word < kMostInputs / 64; ++word) {
        for (std::uint64_t left = gone[word]; left; left &= left - 1) {
            const int at = 64 * word + std::countr_zero(left);
            changed_.add(at, -dense_[at]);
        }
    }
}

void Fan::sense(const Position& position, float* hidden) {
    if (net_->version().change) {
        net_->version().change(base_, dense_, position, changed_);
    } else {
        net_->version().encode(position, inputs_);
        difference(inputs_);
    }
    net_->sense(sums_, changed_, hidden);
}

void Fan::evaluate(const Position* positions, int count, Values* out) {
    if (!summed_) sum();
    const auto width = static_cast<std::ptrdiff_t>(net_->shape().hidden);
    for (int done = 0; done < count; done += Net::kMostTogether) {
        const int now = std::min(count - done, Net::kMostTogether);
        for (int i = 0; i < now; ++i) sense(positions[done + i], hidden_ + i * width);
        net_->conclude(hidden_, now, out + done);
    }
}

}  // namespace barpoint
