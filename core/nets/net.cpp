#include "nets/net.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "kernels/dispatch.hpp"
#include "nets/checksum.hpp"
#include "nets/half.hpp"
#include "rng.hpp"

namespace barpoint {
namespace {

// Files begin with their format. Formats 001 to 003 had another activation and are not read.
constexpr char kMagic[] = "BPNET004";
constexpr std::size_t kMagicSize = 8, kHeader = kMagicSize + sizeof(NetShape);
constexpr int kMaxOutputs = 32;  // a bound of buffers: four states of five outputs are 20

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("net file: " + why); }

}  // namespace

Net::Net(const NetShape& shape) : shape_(shape), version_(find_inputs(shape.inputs)) {
    if (!version_) refuse("inputs of version " + std::to_string(shape.inputs) + " are not known");
    if (shape.hidden == 0 || shape.hidden % 16 || shape.hidden > kMaxHidden) {
        refuse(std::to_string(shape.hidden) + " hidden units; a multiple of 16 up to 1024 is read");
    }
    if (shape.hidden2 % 16 || shape.hidden2 > kMaxHidden2) {
        refuse(std::to_string(shape.hidden2) + " units in the second layer; 0 or a multiple of 16 up to 256 is read");
    }
    if (shape.states != 1 && shape.states != 4) refuse(std::to_string(shape.states) + " states; 1 or 4 are read");
    if (shape.kind > Outputs::gammon_states) refuse("outputs of a kind that is not known");
    if (shape.by_gammons() && shape.states != 4) refuse("outputs by gammon state have 4 states");
    if (shape.phases != 1 && shape.phases != kPhases) refuse(std::to_string(shape.phases) + " phases; 1 or 8 are read");
    if (shape.phases != 1 && !shape.hidden2) refuse("phases without a second layer");
    const std::size_t phases = shape.phases, outputs = static_cast<std::size_t>(shape.outputs());
    first.resize(static_cast<std::size_t>(version_->size()) * shape.hidden);
    first_bias.resize(shape.hidden);
    hidden2.resize(phases * shape.hidden2 * shape.hidden);
    hidden2_bias.resize(phases * shape.hidden2);
    output.resize(phases * outputs * shape.output_inputs());
    output_bias.resize(phases * outputs);
}

Net::Net(const NetShape& shape, std::uint64_t seed) : Net(shape) {
    Stream stream(seed, 0);
    const auto fill = [&](std::vector<float>& weights, double range) {
        for (float& weight : weights) weight = static_cast<float>((2 * stream.unit() - 1) * range);
    };
    fill(first, 0.1);
    fill(hidden2, 0.1);
    fill(output, 0.1);
}

Net Net::parse(std::string_view bytes) {
    if (bytes.substr(0, kMagicSize) != kMagic) {
        refuse(bytes.starts_with("BPNET00") ? "of format " + std::string(bytes.substr(5, 3)) + "; 004 is read" : "does not begin as one");
    }
    if (bytes.size() < kHeader) refuse("ends within its header");
    NetShape shape;
    std::memcpy(&shape, bytes.data() + kMagicSize, sizeof shape);
    Net net(shape);
    std::size_t weights = 0;
    for (const std::vector<float>* part : parts(net)) weights += part->size();
    const std::size_t expected = kHeader + 2 * weights + sizeof(std::uint64_t);
    if (bytes.size() != expected) {
        refuse(std::to_string(bytes.size()) + " bytes; its header asks for " + std::to_string(expected));
    }
    std::uint64_t sum;
    std::memcpy(&sum, bytes.data() + expected - sizeof sum, sizeof sum);
    if (sum != checksum(bytes.data(), expected - sizeof sum)) refuse("checksum differs, so it is damaged");
    const char* at = bytes.data() + kHeader;
    for (std::vector<float>* part : parts(net)) {
        for (float& weight : *part) {
            std::uint16_t half;
            std::memcpy(&half, at, sizeof half);
            weight = from_half(half);
            if (!std::isfinite(weight)) refuse("a weight is not a number");
            at += sizeof half;
        }
    }
    if (shape.hidden2) {
        net.quantized_ = QuantizedLayers(net.first, net.first_bias, net.hidden2, net.hidden2_bias, shape.phases, *net.version_);
    } else if (net.version_->plain()) {
        net.sum_counts();
    }
    return net;
}

std::string Net::bytes() const {
    std::string out(kMagic, kMagicSize);
    out.append(reinterpret_cast<const char*>(&shape_), sizeof shape_);
    std::vector<float> rounded_first = first, rounded_hidden2 = hidden2;
    if (shape_.hidden2) QuantizedLayers::round(rounded_first, rounded_hidden2, shape_.hidden);
    for (const std::vector<float>* part : parts(*this)) {
        for (float weight : part == &first ? rounded_first : part == &hidden2 ? rounded_hidden2 : *part) {
            const std::uint16_t half = to_half(weight);
            out.append(reinterpret_cast<const char*>(&half), sizeof half);
        }
    }
    const std::uint64_t sum = checksum(out.data(), out.size());
    out.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return out;
}

// A larger copy of this net; extra states and phases start as copies of existing ones.
Net Net::grown(const NetShape& shape) const {
    Net out(shape);
    std::copy(first.begin(), first.end(), out.first.begin());
    out.first_bias = first_bias;
    const auto repeat = [&](const std::vector<float>& from, std::vector<float>& to) {
        const std::size_t one = from.size() / shape_.phases, all = to.size() / shape.phases;  // of one phase
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i / all % shape_.phases * one + i % all % one];
    };
    repeat(hidden2, out.hidden2);
    repeat(hidden2_bias, out.hidden2_bias);
    repeat(output, out.output);
    repeat(output_bias, out.output_bias);
    return out;
}

Net Net::widened(Outputs kind) const {
    NetShape shape = shape_;
    if (shape.states != 1) refuse("only a net with one state can get more");
    if (shape.per_checker() != (kind == Outputs::checkers)) refuse("its states say other things than these would");
    shape.states = 4;
    shape.kind = kind;
    Net wide = grown(shape);
    wide.quantized_ = quantized_;
    return wide;
}

Net Net::for_money() const {
    if (!shape_.by_gammons()) return *this;
    NetShape shape = shape_;
    shape.states = 1;
    shape.kind = Outputs::levels;
    Net out(shape);
    out.first = first;
    out.first_bias = first_bias;
    out.hidden2 = hidden2;
    out.hidden2_bias = hidden2_bias;
    OutputLayer money = output_layer(std::array{GammonPrices()});
    out.output = std::move(money.weights);
    out.output_bias = std::move(money.bias);
    out.quantized_ = quantized_;
    return out;
}

Net Net::divided() const {
    NetShape shape = shape_;
    if (shape.phases != 1) refuse("it has phases already");
    shape.phases = kPhases;
    return grown(shape);
}

Net Net::paired() const {
    NetShape shape = shape_;
    if (shape.inputs != kHitInputs) refuse("inputs of version " + std::to_string(shape.inputs) + " have no pairs of points");
    shape.inputs = kPairInputs;
    return grown(shape);
}

Net Net::arranged(const std::vector<std::size_t>& order) const {
    const std::size_t width = shape_.hidden;
    std::vector<bool> named(width);
    for (std::size_t unit : order) {
        if (unit >= width || named[unit]) refuse("an order names each unit once");
        named[unit] = true;
    }
    if (order.size() != width) refuse("an order names all units");
    Net out = grown(shape_);
    const auto move = [&](const std::vector<float>& from, std::vector<float>& to) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i / width * width + order[i % width]];
    };
    move(first, out.first);
    move(first_bias, out.first_bias);
    if (shape_.hidden2) {
        move(hidden2, out.hidden2);
    } else {
        move(output, out.output);
    }
    return out;
}

Net Net::towards(const Net& other, float share) const {
    if (!(other.shape_ == shape_)) refuse("only nets of one shape have others between them");
    if (!(share >= 0 && share <= 1)) refuse("a share of the way is 0 to 1");
    Net out = grown(shape_);
    const auto goals = parts(other);
    auto goal = goals.begin();
    for (std::vector<float>* part : parts(out)) {
        const std::vector<float>& end = **goal++;
        for (std::size_t i = 0; i < part->size(); ++i) (*part)[i] += share * (end[i] - (*part)[i]);
    }
    return out;
}

void Net::to_probabilities(const float* shares, int states, Values& out) const {
    for (int state = 0; state < states; ++state) {
        const float* s = shares + state * shape_.outputs_per_state();
        Probabilities& f = out[static_cast<std::size_t>(state)];
        f = {};
        f[0] = s[0];
        if (shape_.per_checker()) {
            f[1] = s[0] * s[1] * kMaxPoints;
            f[2] = (1 - s[0]) * s[2] * kMaxPoints;
        } else {
            f[1] = s[0] * s[1];
            f[2] = f[1] * s[2];
            f[3] = (1 - s[0]) * s[3];
            f[4] = f[3] * s[4];
        }
    }
}

void Net::evaluate(const Position& position, Values& out) const { evaluate(&position, 1, &out); }

OutputLayer Net::output_layer(std::span<const GammonPrices> prices) const {
    if (!shape_.by_gammons()) refuse("its states say nothing of gammons");
    const auto mixed = [&](const std::vector<float>& from, std::size_t width) {  // of each output
        const std::size_t one = static_cast<std::size_t>(shape_.outputs_per_state()) * width;
        std::vector<float> out;
        for (std::size_t phase = 0; phase < shape_.phases; ++phase) {
            const float* states = from.data() + 4 * phase * one;
            for (const GammonPrices& price : prices) {
                const std::array<float, 4> share = price.shares();
                for (std::size_t i = 0; i < one; ++i) {
                    float sum = 0;
                    for (std::size_t state = 0; state < 4; ++state) sum += share[state] * states[state * one + i];
                    out.push_back(sum);
                }
            }
        }
        return out;
    };
    return {static_cast<int>(prices.size()), mixed(output, shape_.output_inputs()), mixed(output_bias, 1)};
}

void Net::evaluate(const Position* positions, std::size_t count, Values* out, const OutputLayer* layer) const {
    static constexpr Position kEmpty;
    static constexpr int kNothing[kMaxInputs] = {};
    static constexpr float kNoInputs[kMaxInputs] = {};
    InputBatch batch;
    std::unique_ptr<Pairs[]> pairs;  // large, and needed by quantized nets alone
    if (!quantized_.empty()) pairs = std::make_unique_for_overwrite<Pairs[]>(std::min<std::size_t>(count, kMaxTogether));
    float hidden[kMaxTogether * kMaxHidden];
    std::uint8_t phases[kMaxTogether];
    for (std::size_t done = 0; done < count; done += kMaxTogether) {
        const int now = static_cast<int>(std::min<std::size_t>(count - done, kMaxTogether));
        for (int i = 0; i < now; ++i) phases[i] = phase(positions[done + static_cast<std::size_t>(i)]);
        version_->compare(kEmpty, positions + done, now, batch);
        if (quantized_.empty()) {
            for (int i = 0; i < now; ++i) {
                gather(first_bias.data(), version_->add_features(batch, i, kNoInputs), hidden + i * static_cast<int>(shape_.hidden));
            }
            conclude(hidden, phases, now, out + done, layer);
        } else {
            QuantizedLayers::differences(kNothing, *version_, batch, now, pairs.get());
            conclude(quantized_.empty_sums(), nullptr, pairs.get(), batch.flags, phases, now, out + done, layer);
        }
    }
}

void Net::activations(const Position* positions, std::size_t count, std::int16_t* out) const {
    static constexpr Position kEmpty;
    InputBatch batch;
    const auto seen = std::make_unique<QuantizedLayers::Base>();
    for (std::size_t i = 0; i < count; ++i, out += shape_.hidden) {
        version_->compare(kEmpty, positions + i, 1, batch);
        quantized_.begin(*version_, batch, *seen);
        std::copy_n(seen->hidden, shape_.hidden, out);
    }
}

void Net::gather(const float* sums, const Inputs& inputs, float* out) const {
    kernel().gather(first.data(), sums, static_cast<int>(shape_.hidden), inputs.index, inputs.value, inputs.count, out);
}

// Precomputes what each count of checkers on each point adds to the first-layer sums.
void Net::sum_counts() {
    const std::size_t width = shape_.hidden;
    by_counts_.resize(sizeof(Position) * kMaxCounted * width);
    const std::vector<float> nothing(width);
    for (std::size_t byte = 0; byte < sizeof(Position); ++byte) {
        if (byte % sizeof(Side) > kHand) continue;
        for (std::uint8_t count = 1; count < kMaxCounted; ++count) {
            Position position;
            std::memcpy(reinterpret_cast<std::uint8_t*>(&position) + byte, &count, 1);
            Inputs inputs;
            version_->encode(&position, 1, &inputs);
            gather(nothing.data(), inputs, by_counts_.data() + (byte * kMaxCounted + count) * width);
        }
    }
}

void Net::gather(const float* sums, const Position& from, const Position& to, float* out) const {
    const auto *one = reinterpret_cast<const std::uint8_t*>(&from), *two = reinterpret_cast<const std::uint8_t*>(&to);
    std::uint16_t index[2 * sizeof(Position)];
    float value[2 * sizeof(Position)];
    int entries = 0;
    for (std::uint64_t left = differing(from, to); left; left &= left - 1) {
        const int byte = std::countr_zero(left);
        const auto enter = [&](std::uint8_t count, float sign) {
            index[entries] = static_cast<std::uint16_t>(byte * kMaxCounted + std::min<int>(count, kMaxCounted - 1));
            value[entries++] = sign;
        };
        enter(one[byte], -1);
        enter(two[byte], 1);
    }
    kernel().gather(by_counts_.data(), sums, static_cast<int>(shape_.hidden), index, value, entries, out);
}

namespace {

// Calls work(phase, first, count) for each run of positions of one phase.
template <class Work>
void each_phase(const std::uint8_t* phases, int count, Work&& work) {
    for (int first = 0, end = 0; first < count; first = end) {
        while (end < count && phases[end] == phases[first]) ++end;
        work(std::size_t{phases[first]}, first, end - first);
    }
}

}  // namespace

void Net::conclude(float* hidden, const std::uint8_t* phases, int count, Values* out, const OutputLayer* layer) const {
    const int units = static_cast<int>(shape_.hidden2), width = static_cast<int>(shape_.hidden);
    kernel().int16->activate(hidden, count * width);
    if (!units) return outputs_of(hidden, 0, count, layer, out);
    float between[kMaxTogether * kMaxHidden2];
    each_phase(phases, count, [&](std::size_t phase, int first, int some) {
        kernel().products(hidden2.data() + phase * units * width, hidden2_bias.data() + phase * units, units, width,
                          hidden + first * width, some, between);
        kernel().sigmoid(between, some * units);
        outputs_of(between, static_cast<std::uint32_t>(phase), some, layer, out + first);
    });
}

void Net::conclude(const int* sums, QuantizedLayers::Base* base, const Pairs* pairs, const Flags* flags, const std::uint8_t* phases, int count, Values* out,
                   const OutputLayer* layer) const {
    std::int16_t hidden[kMaxTogether * kMaxHidden];
    float between[kMaxTogether * kMaxHidden2];
    quantized_.hidden(sums, pairs, flags, count, base != nullptr, hidden);
    each_phase(phases, count, [&](std::size_t phase, int first, int some) {
        quantized_.products(static_cast<std::uint32_t>(phase), base, hidden + first * static_cast<std::ptrdiff_t>(shape_.hidden), some, between);
        kernel().sigmoid(between, some * static_cast<int>(shape_.hidden2));
        outputs_of(between, static_cast<std::uint32_t>(phase), some, layer, out + first);
    });
}

void Net::outputs_of(const float* seen, std::uint32_t phase, int count, const OutputLayer* layer, Values* out) const {
    const int states = layer ? layer->states : static_cast<int>(shape_.states), outputs = states * shape_.outputs_per_state();
    const std::size_t at = phase * static_cast<std::size_t>(outputs);
    const std::vector<float>&weights = layer ? layer->weights : output, &bias = layer ? layer->bias : output_bias;
    float shares[kMaxTogether * kMaxOutputs];
    kernel().products(weights.data() + at * shape_.output_inputs(), bias.data() + at, outputs, static_cast<int>(shape_.output_inputs()), seen, count,
                      shares);
    kernel().sigmoid(shares, count * outputs);
    for (int i = 0; i < count; ++i) to_probabilities(shares + i * outputs, states, out[i]);
}

}  // namespace barpoint
