#include "fixed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>

#include "dispatch.hpp"

namespace barpoint {
namespace {

constexpr int kMost = std::numeric_limits<short>::max();
constexpr std::int64_t kFits = std::numeric_limits<int>::max();

// The sums of the first layer are counted in parts this small, less so where a net has large weights: in whole numbers an
// input is kLeast to kFinest times as large.
constexpr double kFine = 1 << 26;
constexpr double kCoarse = 1 << 20;  // a net that needs larger ones stays in floats
constexpr double kFinest = 65534;
constexpr double kLeast = 8192;
constexpr float kTiny = 1e-6f;

float largest(const float* from, std::size_t count) {
    float most = 0;
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::fabs(from[i]));
    return most;
}

short rounded(double value) { return static_cast<short>(std::clamp(std::nearbyint(value), -1.0 * kMost, 1.0 * kMost)); }

}  // namespace

// Entries of Pairs, one number after the other: both numbers of a pair share one.
class Fixed::Writer {
  public:
    explicit Writer(Pairs& out) : out_(out) {}

    void add(int at, int value, int most) {
        for (; value > kMost || value < -kMost; last_ = -1) {
            const int part = value > 0 ? kMost : -kMost;
            write(at, part, most);
            value -= part;
        }
        write(at, value, most);
    }

    // For pairs whose products add up to so much at most. False where no part could hold them.
    bool make_room(float bound) {
        const auto more = static_cast<double>(bound) * (1 + 1e-5);  // floats were added up
        if (more > kFits) return false;
        if (static_cast<double>(sum_) + more > kFits) end_part();
        sum_ += static_cast<std::int64_t>(more);
        last_ = -1;
        return true;
    }
    // Two numbers in one word; there is room for them.
    void add_pair(int pair, int word) {
        out_.pair[count_] = static_cast<unsigned short>(pair);
        std::memcpy(out_.value[count_], &word, sizeof word);
        count_ += word != 0;
    }

    void finish() {
        out_.count = count_;
        out_.parts = parts_;
        if (count_ > (parts_ ? out_.end[parts_ - 1] : 0)) out_.end[out_.parts++] = static_cast<unsigned short>(count_);
    }

  private:
    void end_part() {
        out_.end[parts_++] = static_cast<unsigned short>(count_);
        sum_ = 0;
        last_ = -1;
    }
    void write(int at, int value, int most) {
        sum_ += static_cast<std::int64_t>(std::abs(value)) * most;
        if (sum_ > kFits) {
            end_part();
            sum_ = static_cast<std::int64_t>(std::abs(value)) * most;
        }
        // Without branches: which inputs stand side by side is hard to guess.
        const bool same = at / 2 == last_;
        const int slot = count_ - same, shift = (at % 2 != 0) == kLittle ? 16 : 0;
        const std::uint32_t word = (same ? word_ : 0) | static_cast<std::uint32_t>(value & 0xFFFF) << shift;
        out_.pair[slot] = static_cast<unsigned short>(at / 2);
        std::memcpy(out_.value[slot], &word, sizeof word);
        count_ = value ? slot + 1 : count_;
        word_ = value ? word : word_;
        last_ = value ? at / 2 : last_;
    }

    static constexpr bool kLittle = std::endian::native == std::endian::little;
    Pairs& out_;
    int count_ = 0, parts_ = 0, last_ = -1;  // the pair that the last entry is of
    std::uint32_t word_ = 0;                 // its numbers
    std::int64_t sum_ = 0;  // none of the part's sums can be larger
};

Fixed::Fixed(const std::vector<float>& first, const std::vector<float>& middle, const std::vector<float>& middle_bias, int hidden,
             std::uint32_t phases)
    : hidden_(hidden), units_(static_cast<int>(middle_bias.size() / phases)) {
    const double fine = std::min(kFine, kFinest * kMost / std::max(largest(first.data(), first.size()), kTiny));
    if (fine < kCoarse || largest(middle.data(), middle.size()) > kMost) return;
    unit_ = static_cast<float>(1 / std::exp2(std::floor(std::log2(fine))));
    fix_first(first);
    for (std::size_t phase = 0; phase < phases; ++phase) {
        const std::size_t at = phase * static_cast<std::size_t>(units_);
        seconds_.push_back(fix_middle(middle.data() + at * static_cast<std::size_t>(hidden), middle_bias.data() + at));
    }
}

void Fixed::fix_first(const std::vector<float>& first) {
    const auto width = static_cast<std::size_t>(hidden_);
    const std::size_t inputs = first.size() / width, pairs = (inputs + 1) / 2;
    double entries = 0;  // that one position can take at most
    first_.resize(2 * pairs * width);
    for (std::size_t i = 0; i < inputs; ++i) {
        const float* row = first.data() + i * width;
        // Even, so that 1 and 1/2, which most inputs are, stay what they are.
        const double scale = 2 * std::ceil(std::max<double>(kLeast, largest(row, width) / unit_ / kMost) / 2);
        int most = 0;
        for (std::size_t u = 0; u < width; ++u) {
            const short weight = rounded(row[u] / unit_ / scale);
            const std::size_t from = u / kBlock * kBlock, wide = std::min<std::size_t>(kBlock, width - from);
            first_.data()[2 * (from * pairs + i / 2 * wide + u - from) + i % 2] = weight;
            most = std::max(most, std::abs(static_cast<int>(weight)));
        }
        scale_.push_back(static_cast<float>(scale));
        most_.push_back(static_cast<float>(most));
        entries += 1 + 2 * kLargestInput * scale / kMost;
    }
    if (entries > kMostEntries) scale_.clear();
}

Fixed::Second Fixed::fix_middle(const float* middle, const float* bias) const {
    const auto width = static_cast<std::size_t>(hidden_), units = static_cast<std::size_t>(units_);
    Second out{{}, {bias, bias + units}, std::vector<float>(units)};
    out.weights.resize(units * width);
    for (std::size_t r = 0; r < units; ++r) {
        const float* row = middle + r * width;
        double most = kTiny;
        for (std::size_t from = 0; from < width; from += kPart) {
            double sum = 0;
            for (std::size_t u = from; u < std::min(from + kPart, width); ++u) sum += std::fabs(row[u]);
            most = std::max(most, sum);
        }
        const auto room = static_cast<double>(kFits / kHalf - kPart);  // each weight may be rounded up
        const double scale = std::min(kMost / static_cast<double>(std::max(largest(row, width), kTiny)), room / most);
        double sum = 0;
        for (std::size_t u = 0; u < width; ++u) {
            const short weight = rounded(row[u] * scale);
            out.weights.data()[2 * (u / 2 * units + r) + u % 2] = weight;
            sum += weight;
        }
        out.unit[r] = static_cast<float>(1 / (2 * kHalf * scale));
        out.bias[r] += static_cast<float>(sum / scale / 2);  // whole numbers begin at 1/2
    }
    return out;
}

inline int Fixed::whole(int row, float value) const {
    constexpr float kAbove = 1 << 19;  // makes it positive, so that truncation rounds down
    const float scaled = std::clamp(value, -kLargestInput, kLargestInput) * scale_[row];
    return static_cast<int>(scaled + (kAbove + 0.5f)) - static_cast<int>(kAbove);
}

void Fixed::count(const Inputs& inputs, int* out) const {
    std::fill_n(out, scale_.size(), 0);
    for (int k = 0; k < inputs.count; ++k) out[inputs.index[k]] = whole(inputs.index[k], inputs.value[k]);
}

inline void Fixed::write(const int* base, const Inputs& changed, Writer& out) const {
    for (int k = 0, count = changed.count; k < count; ++k) {
        const int at = changed.index[k];
        out.add(at, whole(at, changed.value[k]) - base[at], static_cast<int>(most_[at]));
    }
}

void Fixed::differences(const int* base, const InputVersion& version, const Glance& glance, int count, Pairs* out) const {
    // Few enough of them that the sums of most have room in one part.
    constexpr int kSome = 18;
    struct Stretch {
        int measure, input, count;
        float bound[Glance::kMost];
    };
    Stretch stretches[kMeasures / kSome + 3];
    int words[kMeasures / 2][Glance::kMost], parts = 0;
    for (const auto& [first, all, input] : version.blocks()) {
        for (int i = 0; i < all; i += kSome) {
            Stretch& now = stretches[parts++] = {first + i, input + i, std::min(kSome, all - i), {}};
            kernel().pair_up(glance.measures + now.measure, now.count, &scale_[now.input], base + now.input, &most_[now.input],
                             words + now.measure / 2, now.bound);
        }
    }
    for (int c = 0; c < count; ++c) {
        Writer writer(out[c]);
        write(base, glance.changed[c], writer);
        for (const Stretch& now : std::span(stretches, parts)) {
            if (writer.make_room(now.bound[c])) {
                for (int i = 0; i < now.count / 2; ++i) writer.add_pair(now.input / 2 + i, words[now.measure / 2 + i][c]);
                continue;
            }
            for (int i = 0; i < now.count; ++i) {
                const int at = now.input + i;
                writer.add(at, whole(at, glance.measures[now.measure + i][c]) - base[at], static_cast<int>(most_[at]));
            }
        }
        writer.finish();
    }
}

void Fixed::gather(const float* sums, const Pairs& pairs, float* out) const {
    kernel().gather_pairs(first_.data(), pairs_of_rows(), sums, unit_, hidden_, pairs, out);
}

void Fixed::hidden(const float* sums, const Pairs* pairs, int count, short* out) const {
    kernel().hidden_pairs(first_.data(), pairs_of_rows(), sums, unit_, hidden_, pairs, count, out);
}

void Fixed::products(std::uint32_t phase, const short* hidden, int count, float* out) const {
    const Second& second = seconds_[phase];
    kernel().products_pairs(second.weights.data(), second.bias.data(), second.unit.data(), units_, hidden_, hidden, count, out);
}

}  // namespace barpoint
