#include "nets/quantized.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "kernels/dispatch.hpp"

namespace barpoint {
namespace {

static_assert(std::endian::native == std::endian::little);  // the first of a pair is in the lower half of its word

constexpr int kMaxInt16 = std::numeric_limits<short>::max();
constexpr std::int64_t kMaxInt32 = std::numeric_limits<int>::max();
constexpr double kTiny = 1e-6;
constexpr double kMaxSteps = 1 << 14;  // benchmarks/results.md, "Tried and reverted": layers in int16

float largest(const float* from, std::size_t count) {
    float most = 0;
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::fabs(from[i]));
    return most;
}

short rounded(double value) { return static_cast<short>(std::clamp(std::nearbyint(value), -1.0 * kMaxInt16, 1.0 * kMaxInt16)); }

// Of how many flags 16 bits hold the sum of weights, whichever they are; weights of a unit are `apart` from each other.
int most_together(const float* weights, std::size_t flags, std::size_t apart) {
    constexpr int kStep = 32;
    std::array<int, (kMaxInt16 + 1) / kStep> sizes = {};
    for (std::size_t i = 0; i < flags; ++i) ++sizes[static_cast<std::size_t>(std::abs(rounded(weights[i * apart] * kWeightSteps)) / kStep)];
    int left = kMaxInt16, found = 0;
    for (int size = static_cast<int>(sizes.size()); size-- > 0;) {  // the largest first
        const int most = (size + 1) * kStep - 1, fit = std::min(sizes[static_cast<std::size_t>(size)], left / most);
        found += fit;
        left -= fit * most;
        if (fit < sizes[static_cast<std::size_t>(size)]) break;
    }
    return found;
}

int to_steps(float input) { return static_cast<int>(input * kSteps); }  // exact: inputs are multiples of a step

// Appends inputs to Pairs in order of index; both inputs of a pair share an entry.
class Writer {
  public:
    explicit Writer(Pairs& out) : out_(out) {}

    // Without branches: which inputs are neighbours is hard to predict.
    void add(int at, int value) {
        const bool same = at / 2 == last_;
        const int slot = count_ - same;
        const int word = (same ? word_ : 0) | static_cast<int>(static_cast<std::uint32_t>(value & 0xFFFF) << (at % 2 * 16));
        out_.pair[slot] = static_cast<unsigned short>(at / 2);
        out_.word[slot] = word;
        count_ = value ? slot + 1 : count_;
        word_ = value ? word : word_;
        last_ = value ? at / 2 : last_;
    }
    void finish() { out_.count = count_; }

  private:
    Pairs& out_;
    int count_ = 0, last_ = -1;  // the pair of the last entry
    int word_ = 0;               // its two inputs
};

}  // namespace

QuantizedLayers::QuantizedLayers(const std::vector<float>& first, const std::vector<float>& first_bias, const std::vector<float>& hidden2,
             const std::vector<float>& hidden2_bias, std::uint32_t phases, const InputVersion& version)
    : hidden_(static_cast<int>(first_bias.size())), units_(static_cast<int>(hidden2_bias.size() / phases)) {
    quantize_first(first, first_bias, version);
    for (std::size_t phase = 0; phase < phases && !empty(); ++phase) {
        const std::size_t at = phase * static_cast<std::size_t>(units_);
        seconds_.push_back(quantize_hidden2(hidden2.data() + at * first_bias.size(), hidden2_bias.data() + at));
    }
}

void QuantizedLayers::quantize_first(const std::vector<float>& first, const std::vector<float>& bias, const InputVersion& version) {
    const std::size_t width = bias.size(), inputs = first.size() / width;
    const auto paired = static_cast<std::size_t>(version.flags_from()), pairs = (paired + 1) / 2, flags = inputs - paired;
    constexpr float kOne = 1.0f * kSteps * kWeightSteps;
    const auto fits = [&](double most) { return most * kOne < kMaxInt32; };
    if (largest(first.data(), first.size()) * kWeightSteps > kMaxInt16) return;
    for (std::size_t u = 0; u < width; ++u) {
        if (!fits(std::fabs(bias[u]) + version.max_sum(first.data() + u, width) + 1)) return;  // + 1 for rounding
    }
    first_.resize(2 * pairs * width);
    flags_.resize(flags * width);
    for (std::size_t i = 0; i < inputs; ++i) {
        for (std::size_t u = 0; u < width; ++u) {
            const short weight = rounded(first[i * width + u] * kWeightSteps);
            if (i < paired) {
                const std::size_t from = u / kBlock * kBlock, wide = std::min<std::size_t>(kBlock, width - from);
                first_.data()[2 * (from * pairs + i / 2 * wide + u - from) + i % 2] = weight;
            } else {
                flags_.data()[(i - paired) * width + u] = weight;
            }
        }
    }
    pairs_ = static_cast<int>(pairs);
    together_ = flags ? kMaxFlags : 0;
    for (std::size_t u = 0; u < width && flags; ++u) together_ = std::min(together_, most_together(first.data() + paired * width + u, flags, width));
    for (float each : bias) first_bias_.push_back(static_cast<int>(std::lrint(each * kOne)) + (1 << kShift) / 2);  // rounds
}

// The largest power of 2 with which no sum of a whole row overflows.
double QuantizedLayers::steps(const float* row, std::size_t width) {
    double sum = 0;
    for (std::size_t u = 0; u < width; ++u) sum += std::fabs(row[u]);
    const double room = kMaxInt32 / (sum * kActivationSteps / 2 + kTiny), most = kMaxInt16 / (largest(row, width) + kTiny);
    return std::exp2(std::floor(std::log2(std::min({room * (1 - 1e-6), most, kMaxSteps}))));
}

QuantizedLayers::Second QuantizedLayers::quantize_hidden2(const float* hidden2, const float* bias) const {
    const auto width = static_cast<std::size_t>(hidden_), units = static_cast<std::size_t>(units_);
    Second out{{}, {bias, bias + units}, std::vector<float>(units)};
    out.weights.resize(units * width);
    for (std::size_t r = 0; r < units; ++r) {
        const float* row = hidden2 + r * width;
        const double scale = steps(row, width);
        double sum = 0;
        for (std::size_t u = 0; u < width; ++u) {
            const short weight = rounded(row[u] * scale);
            out.weights.data()[2 * (u / 2 * units + r) + u % 2] = weight;
            sum += weight;
        }
        out.unit[r] = static_cast<float>(1 / (kActivationSteps * scale));
        out.bias[r] += static_cast<float>(sum / scale / 2);  // int16 activations are centred at 1/2
    }
    return out;
}

void QuantizedLayers::round(std::vector<float>& first, std::vector<float>& hidden2, std::size_t hidden) {
    for (float& weight : first) weight = std::nearbyint(weight * kWeightSteps) / kWeightSteps;
    for (std::size_t at = 0; at < hidden2.size(); at += hidden) {
        const auto scale = static_cast<float>(steps(hidden2.data() + at, hidden));
        for (std::size_t u = at; u < at + hidden; ++u) hidden2[u] = std::nearbyint(hidden2[u] * scale) / scale;
    }
}

void QuantizedLayers::begin(const InputVersion& version, const InputBatch& batch, Base& out) const {
    Pairs pairs;
    std::fill_n(out.inputs, 2 * pairs_, 0);
    differences(out.inputs, version, batch, 1, &pairs);
    for (int k = 0; k < pairs.count; ++k) {
        out.inputs[2 * pairs.pair[k]] = static_cast<short>(pairs.word[k]);
        out.inputs[2 * pairs.pair[k] + 1] = pairs.word[k] >> 16;
    }
    kernel().int16->gather_pairs(layer(), empty_sums(), hidden_, pairs, batch.flags[0], out.sums);
    pairs.count = 0;
    static const Flags kNone{};
    hidden(out.sums, &pairs, &kNone, 1, false, out.hidden);
    out.known = 0;
}

void QuantizedLayers::differences(const int* base, const InputVersion& version, const InputBatch& batch, int count, Pairs* out) {
    constexpr int kMax = InputBatch::kMax;
    FeatureBatch less;
    for (const auto& [first, all, input] : version.blocks()) {
        for (int i = 0; i < all; i += 2) {
            const int word = (base[input + i] & 0xFFFF) | static_cast<int>(static_cast<std::uint32_t>(base[input + i + 1]) << 16);
            const int* now = batch.features[(first + i) / 2];
            int before[kMax + 1];
            std::fill_n(before, kMax, word);
            if (batch.chained) std::copy_n(now, kMax, before + 1);
            for (int c = 0; c < kMax; ++c) {  // all lanes, also the unused ones
                const auto from = static_cast<std::uint32_t>(before[c]), to = static_cast<std::uint32_t>(now[c]);
                less[(first + i) / 2][c] = static_cast<int>(((to - from) & 0xFFFF) | ((to >> 16) - (from >> 16)) << 16);
            }
        }
    }
    for (int c = 0; c < count; ++c) {
        Writer writer(out[c]);
        const Inputs& changed = batch.changed[c];
        for (int k = 0; k < changed.count; ++k) writer.add(changed.index[k], to_steps(changed.value[k] - changed.before[k]));
        writer.finish();
    }
    for (const auto& [first, all, input] : version.blocks()) kernel().int16->append(less, first / 2, all / 2, input / 2, count, out);
}

void QuantizedLayers::hidden(const int* sums, const Pairs* pairs, const Flags* flags, int count, bool chained, short* out) const {
    kernel().int16->hidden_pairs(layer(), sums, hidden_, pairs, flags, count, chained, out);
}

void QuantizedLayers::products(std::uint32_t phase, Base* base, const short* hidden, int count, float* out) const {
    const Second& second = seconds_[phase];
    const Int16Kernel& k = *kernel().int16;
    int sums[InputBatch::kMax * kMaxHidden2];
    if (base) {
        int* known = base->products[phase];
        if (!(base->known >> phase & 1)) k.products_pairs(second.weights.data(), units_, hidden_, base->hidden, 1, known);
        base->known |= 1u << phase;
        k.products_beside(second.weights.data(), units_, hidden_, base->hidden, known, hidden, count, sums);
    } else {
        k.products_pairs(second.weights.data(), units_, hidden_, hidden, count, sums);
    }
    for (int c = 0; c < count; ++c) {
        for (int r = 0; r < units_; ++r) {
            out[c * units_ + r] = second.bias[r] + second.unit[r] * static_cast<float>(sums[c * units_ + r]);
        }
    }
}

}  // namespace barpoint
