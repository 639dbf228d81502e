#include "nets/accumulator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace barpoint {
namespace {

constexpr int kPhaseShift = 60;

// The phase, how many checkers a reply has hit, then those of the side that moved, from the rear on: the lower two bits of their counts.
std::uint64_t sort_key(const Position& position, std::uint64_t phase) {
    std::uint64_t key = phase << 8 | position.us.points[kBar];
    for (int first : {17, 9, 1}) {
        std::uint64_t bits;
        std::memcpy(&bits, position.them.points + first, sizeof bits);
        bits &= 0x0303030303030303u;
        bits = (bits | bits >> 6) & 0x000F000F000F000Fu;
        bits = (bits | bits >> 12) & 0x000000FF000000FFu;
        key = key << 16 | ((bits | bits >> 24) & 0xFFFF);
    }
    return key << 4;
}

}  // namespace

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

// Orders the numbers by phase, and those of a phase so that neighbours differ little, each of which is computed from the one before.
void Accumulator::sort(const Position* positions, std::span<const std::uint32_t> numbers) {
    const bool sorted = net_->shape().phases > 1 || !net_->quantized().empty();
    turns_.resize(numbers.size());
    phases_.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Position& position = positions[numbers[i]];
        turns_[i] = {sorted ? sort_key(position, net_->phase(position)) : 0, static_cast<std::uint32_t>(i)};
    }
    if (sorted) std::sort(turns_.begin(), turns_.end(), [](const Turn& one, const Turn& other) { return one.key < other.key; });
    for (std::size_t i = 0; i < numbers.size(); ++i) phases_[i] = static_cast<std::uint8_t>(turns_[i].key >> kPhaseShift);
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
        for (std::size_t i = 0; i < now; ++i) positions_[i] = positions[numbers[turns_[done + i].number]];
        gather(static_cast<int>(now));
        if (net_->quantized().empty()) {
            net_->conclude(hidden_, phases_.data() + done, static_cast<int>(now), found_, layer);
        } else {
            net_->conclude(base_sums_.sums, &base_sums_, pairs_.get(), batch_.flags, phases_.data() + done, static_cast<int>(now), found_, layer);
        }
        for (std::size_t i = 0; i < now; ++i) out[turns_[done + i].number] = found_[i];
    }
}

}  // namespace barpoint
