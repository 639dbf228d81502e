#include "nets/accumulator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace barpoint {

void Accumulator::sum_base() {
    static constexpr Position kEmpty;
    const InputVersion& version = net_->version();
    const QuantizedLayers& quantized = net_->quantized();
    version.compare(kEmpty, &base_, 1, batch_);
    if (!quantized.empty()) {
        if (!pairs_) pairs_ = std::make_unique<Pairs[]>(Net::kMaxTogether);
        quantized.begin(version, batch_, base_sums_);
    } else {
        std::fill_n(dense_, version.size(), 0.0f);
        const Inputs& inputs = version.add_features(batch_, 0, dense_);
        net_->gather(net_->first_bias.data(), inputs, sums_);
        for (int k = 0; k < inputs.count; ++k) dense_[inputs.index[k]] = inputs.value[k];
    }
    summed_ = true;
}

// Orders the numbers by phase.
void Accumulator::sort(const Position* positions, std::span<const std::uint32_t> numbers) {
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

// First-layer sums of positions_, or in int16 the inputs to add to those of the base.
void Accumulator::gather(int count) {
    const auto hidden = [&](int i) { return hidden_ + i * static_cast<std::ptrdiff_t>(net_->shape().hidden); };
    if (net_->by_counts()) {
        for (int i = 0; i < count; ++i) net_->gather(sums_, base_, positions_[i], hidden(i));
        return;
    }
    const InputVersion& version = net_->version();
    version.compare(base_, positions_, count, batch_, !net_->quantized().empty());
    if (!net_->quantized().empty()) return QuantizedLayers::differences(base_sums_.inputs, version, batch_, count, pairs_.get());
    for (int i = 0; i < count; ++i) {
        Inputs& changed = version.add_features(batch_, i, dense_);
        for (int k = 0; k < changed.count; ++k) changed.value[k] -= dense_[changed.index[k]];
        net_->gather(sums_, changed, hidden(i));
    }
}

void Accumulator::evaluate(const Position* positions, std::span<const std::uint32_t> numbers, Values* out, const OutputLayer* layer) {
    if (numbers.empty()) return;
    if (!summed_) sum_base();
    sort(positions, numbers);
    for (std::size_t done = 0; done < numbers.size(); done += Net::kMaxTogether) {
        const std::size_t now = std::min<std::size_t>(numbers.size() - done, Net::kMaxTogether);
        for (std::size_t i = 0; i < now; ++i) positions_[i] = positions[numbers[turns_[done + i]]];
        gather(static_cast<int>(now));
        if (net_->quantized().empty()) {
            net_->conclude(hidden_, phases_.data() + done, static_cast<int>(now), found_, layer);
        } else {
            net_->conclude(base_sums_.sums, &base_sums_, pairs_.get(), batch_.flags, phases_.data() + done, static_cast<int>(now), found_, layer);
        }
        for (std::size_t i = 0; i < now; ++i) out[turns_[done + i]] = found_[i];
    }
}

}  // namespace barpoint
