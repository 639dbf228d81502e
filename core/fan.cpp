#include "fan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <numeric>

namespace barpoint {

void Fan::sum() {
    net_->version().encode(base_, inputs_);
    std::fill_n(dense_, net_->version().size, 0.0f);
    std::fill(std::begin(present_), std::end(present_), 0u);
    for (int k = 0; k < inputs_.count; ++k) {
        dense_[inputs_.index[k]] = inputs_.value[k];
        present_[inputs_.index[k] / 64] |= std::uint64_t{1} << (inputs_.index[k] % 64);
    }
    if (net_->fixed().empty()) {
        net_->gather(net_->first_bias.data(), inputs_, sums_);
    } else {
        if (!pairs_) pairs_ = std::make_unique<Pairs[]>(Net::kMostTogether);
        std::fill_n(whole_, net_->version().size, 0);
        net_->fixed().difference(whole_, inputs_, pairs_[0]);
        net_->fixed().gather(net_->first_bias.data(), pairs_[0], sums_);
        net_->fixed().count(inputs_, whole_);
    }
    summed_ = true;
}

// The inputs that are not as in the base.
void Fan::change(const Position& position) {
    if (net_->version().change) return net_->version().change(base_, dense_, position, changed_);
    net_->version().encode(position, inputs_);
    changed_.count = 0;
    std::uint64_t gone[kMostInputs / 64];
    std::copy(std::begin(present_), std::end(present_), gone);
    for (int k = 0; k < inputs_.count; ++k) {
        const int at = inputs_.index[k];
        gone[at / 64] &= ~(std::uint64_t{1} << (at % 64));
        changed_.change(at, inputs_.value[k], dense_[at]);
    }
    for (int word = 0; word < kMostInputs / 64; ++word) {
        for (std::uint64_t left = gone[word]; left; left &= left - 1) {
            const int at = 64 * word + std::countr_zero(left);
            changed_.change(at, 0.0f, dense_[at]);
        }
    }
}

void Fan::gather(const Position& position, float* hidden) {
    change(position);
    for (int k = 0; k < changed_.count; ++k) changed_.value[k] -= dense_[changed_.index[k]];
    net_->gather(sums_, changed_, hidden);
}

// The positions' numbers so that those of one phase stand together.
void Fan::sort(const Position* positions, std::span<const std::uint32_t> numbers) {
    turns_.resize(numbers.size());
    std::iota(turns_.begin(), turns_.end(), 0u);
    phases_.assign(numbers.size(), 0);
    if (net_->shape().phases == 1) return;
    std::array<std::uint32_t, kPhases> first = {};
    for (std::size_t i = 0; i < numbers.size(); ++i) ++first[phases_[i] = net_->phase(positions[numbers[i]])];
    std::exclusive_scan(first.begin(), first.end(), first.begin(), 0u);
    for (std::size_t i = 0; i < numbers.size(); ++i) turns_[first[phases_[i]]++] = static_cast<std::uint32_t>(i);
    std::sort(phases_.begin(), phases_.end());
}

void Fan::evaluate(const Position* positions, std::span<const std::uint32_t> numbers, Values* out) {
    if (numbers.empty()) return;
    if (!summed_) sum();
    sort(positions, numbers);
    const Fixed& fixed = net_->fixed();
    const auto width = static_cast<std::ptrdiff_t>(net_->shape().hidden);
    for (std::size_t done = 0; done < numbers.size(); done += Net::kMostTogether) {
        const std::size_t now = std::min<std::size_t>(numbers.size() - done, Net::kMostTogether);
        for (std::size_t i = 0; i < now; ++i) {
            const Position& position = positions[numbers[turns_[done + i]]];
            if (fixed.empty()) {
                gather(position, hidden_ + static_cast<std::ptrdiff_t>(i) * width);
            } else {
                change(position);
                fixed.difference(whole_, changed_, pairs_[i]);
            }
        }
        if (fixed.empty()) {
            net_->conclude(hidden_, phases_.data() + done, static_cast<int>(now), found_);
        } else {
            net_->conclude(sums_, pairs_.get(), phases_.data() + done, static_cast<int>(now), found_);
        }
        for (std::size_t i = 0; i < now; ++i) out[turns_[done + i]] = found_[i];
    }
}

}  // namespace barpoint
