#include "nets/quantized.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/dispatch.hpp"

namespace barpoint {
namespace {

static_assert(std::endian::native == std::endian::little);  // of two that share a word the first stands in its lower half

constexpr int kMost = std::numeric_limits<short>::max();
constexpr std::int64_t kFits = std::numeric_limits<int>::max();
constexpr double kTiny = 1e-6;
constexpr double kMaxSteps = 1 << 14;

float largest(const float* from, std::size_t count) {
    float most = 0;
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::fabs(from[i]));
    return most;
}

short rounded(double value) { return static_cast<short>(std::clamp(std::nearbyint(value), -1.0 * kMost, 1.0 * kMost)); }

int whole(float input) { return static_cast<int>(input * kSteps); }  // a number of steps, so exact

// Entries of Pairs, one number after the other: both numbers of a pair share one.
class Writer {
  public:
    explicit Writer(Pairs& out) : out_(out) {}

    // Without branches: which inputs stand side by side is hard to guess.
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
    void add_pair(int pair, int word) {
        out_.pair[count_] = static_cast<unsigned short>(pair);
        out_.word[count_] = word;
        count_ += word != 0;
    }
    void finish() { out_.count = count_; }

  private:
    Pairs& out_;
    int count_ = 0, last_ = -1;  // the pair that the last entry is of
    int word_ = 0;               // its numbers
};

}  // namespace

Fixed::Fixed(const std::vector<float>& first, const std::vector<float>& first_bias, const std::vector<float>& middle,
             const std::vector<float>& middle_bias, std::uint32_t phases, const InputVersion& version)
    : hidden_(static_cast<int>(first_bias.size())), units_(static_cast<int>(middle_bias.size() / phases)) {
    fix_first(first, first_bias, version);
    for (std::size_t phase = 0; phase < phases && !empty(); ++phase) {
        const std::size_t at = phase * static_cast<std::size_t>(units_);
        seconds_.push_back(fix_middle(middle.data() + at * first_bias.size(), middle_bias.data() + at));
    }
}

void Fixed::fix_first(const std::vector<float>& first, const std::vector<float>& bias, const InputVersion& version) {
    const std::size_t width = bias.size(), inputs = first.size() / width, pairs = (inputs + 1) / 2;
    constexpr float kOne = 1.0f * kSteps * kWeightSteps;
    const auto fits = [&](double most) { return most * kOne < kFits; };
    if (largest(first.data(), first.size()) * kWeightSteps > kMost) return;
    for (std::size_t u = 0; u < width; ++u) {
        if (!fits(std::fabs(bias[u]) + version.most(first.data() + u, width) + 1)) return;  // 1 for what is rounded
    }
    first_.resize(2 * pairs * width);
    for (std::size_t i = 0; i < inputs; ++i) {
        for (std::size_t u = 0; u < width; ++u) {
            const short weight = rounded(first[i * width + u] * kWeightSteps);
            const std::size_t from = u / kBlock * kBlock, wide = std::min<std::size_t>(kBlock, width - from);
            first_.data()[2 * (from * pairs + i / 2 * wide + u - from) + i % 2] = weight;
        }
    }
    pairs_ = static_cast<int>(pairs);
    for (float each : bias) first_bias_.push_back(static_cast<int>(std::lrint(each * kOne)) + (1 << kShift) / 2);  // rounds
}

// As many as leave room for all of a row's weights at once.
double Fixed::steps(const float* row, std::size_t width) {
    double sum = 0;
    for (std::size_t u = 0; u < width; ++u) sum += std::fabs(row[u]);
    const double room = kFits / (sum * kGivenSteps / 2 + kTiny), most = kMost / (largest(row, width) + kTiny);
    return std::exp2(std::floor(std::log2(std::min({room * (1 - 1e-6), most, kMaxSteps}))));
}

Fixed::Second Fixed::fix_middle(const float* middle, const float* bias) const {
    const auto width = static_cast<std::size_t>(hidden_), units = static_cast<std::size_t>(units_);
    Second out{{}, {bias, bias + units}, std::vector<float>(units)};
    out.weights.resize(units * width);
    for (std::size_t r = 0; r < units; ++r) {
        const float* row = middle + r * width;
        const double scale = steps(row, width);
        double sum = 0;
        for (std::size_t u = 0; u < width; ++u) {
            const short weight = rounded(row[u] * scale);
            out.weights.data()[2 * (u / 2 * units + r) + u % 2] = weight;
            sum += weight;
        }
        out.unit[r] = static_cast<float>(1 / (kGivenSteps * scale));
        out.bias[r] += static_cast<float>(sum / scale / 2);  // whole numbers begin at 1/2
    }
    return out;
}

void Fixed::round(std::vector<float>& first, std::vector<float>& middle, std::size_t hidden) {
    for (float& weight : first) weight = std::nearbyint(weight * kWeightSteps) / kWeightSteps;
    for (std::size_t at = 0; at < middle.size(); at += hidden) {
        const auto scale = static_cast<float>(steps(middle.data() + at, hidden));
        for (std::size_t u = at; u < at + hidden; ++u) middle[u] = std::nearbyint(middle[u] * scale) / scale;
    }
}

void Fixed::begin(const InputVersion& version, const Glance& glance, Base& out) const {
    Pairs pairs;
    std::fill_n(out.inputs, 2 * pairs_, 0);
    differences(out.inputs, version, glance, 1, &pairs);
    for (int k = 0; k < pairs.count; ++k) {
        out.inputs[2 * pairs.pair[k]] = static_cast<short>(pairs.word[k]);
        out.inputs[2 * pairs.pair[k] + 1] = pairs.word[k] >> 16;
    }
    kernel().whole->gather_pairs(first_.data(), pairs_, nothing(), hidden_, pairs, out.sums);
    pairs.count = 0;
    hidden(out.sums, &pairs, 1, out.hidden);
    out.known = 0;
}

void Fixed::differences(const int* base, const InputVersion& version, const Glance& glance, int count, Pairs* out) {
    Measures less;
    for (const auto& [first, all, input] : version.blocks()) {
        for (int i = 0; i < all; i += 2) {
            const auto low = static_cast<std::uint32_t>(base[input + i]), high = static_cast<std::uint32_t>(base[input + i + 1]);
            const int* from = glance.measures[(first + i) / 2];
            for (int c = 0; c < Glance::kMost; ++c) {  // some perhaps for nothing
                const auto word = static_cast<std::uint32_t>(from[c]);
                less[(first + i) / 2][c] = static_cast<int>(((word - low) & 0xFFFF) | ((word >> 16) - high) << 16);
            }
        }
    }
    for (int c = 0; c < count; ++c) {
        Writer writer(out[c]);
        const Inputs& changed = glance.changed[c];
        for (int k = 0; k < changed.count; ++k) writer.add(changed.index[k], whole(changed.value[k]) - base[changed.index[k]]);
        for (const auto& [first, all, input] : version.blocks()) {
            for (int i = 0; i < all; i += 2) writer.add_pair((input + i) / 2, less[(first + i) / 2][c]);
        }
        writer.finish();
    }
}

void Fixed::hidden(const int* sums, const Pairs* pairs, int count, short* out) const {
    kernel().whole->hidden_pairs(first_.data(), pairs_, sums, hidden_, pairs, count, out);
}

void Fixed::products(std::uint32_t phase, Base* base, const short* hidden, int count, float* out) const {
    const Second& second = seconds_[phase];
    const Whole& k = *kernel().whole;
    int whole[Glance::kMost * kMaxMiddle];
    if (base) {
        int* known = base->products[phase];
        if (!(base->known >> phase & 1)) k.products_pairs(second.weights.data(), units_, hidden_, base->hidden, 1, known);
        base->known |= 1u << phase;
        k.products_beside(second.weights.data(), units_, hidden_, base->hidden, known, hidden, count, whole);
    } else {
        k.products_pairs(second.weights.data(), units_, hidden_, hidden, count, whole);
    }
    for (int c = 0; c < count; ++c) {
        for (int r = 0; r < units_; ++r) {
            out[c * units_ + r] = second.bias[r] + second.unit[r] * static_cast<float>(whole[c * units_ + r]);
        }
    }
}

}  // namespace barpoint
