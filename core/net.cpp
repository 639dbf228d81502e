#include "net.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include "dispatch.hpp"
#include "half.hpp"
#include "rng.hpp"

namespace barpoint {
namespace {

// Files of format 001 know no middle layer: their header ends before it.
constexpr std::size_t kMagicSize = 8;
constexpr char kOldMagic[] = "BPNET001";
constexpr char kMagic[] = "BPNET002";
constexpr std::size_t kOldShape = offsetof(NetShape, middle);
constexpr int kMostOutputs = 32;

// FNV-1a: a damaged file is found; who made it is another question.
std::uint64_t checksum(const char* bytes, std::size_t count) {
    std::uint64_t sum = 0xCBF29CE484222325u;
    for (std::size_t i = 0; i < count; ++i) sum = (sum ^ static_cast<unsigned char>(bytes[i])) * 0x100000001B3u;
    return sum;
}

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("net file: " + why); }

}  // namespace

Net::Net(const NetShape& shape) : shape_(shape), version_(find_inputs(shape.inputs)) {
    if (!version_) refuse("inputs of version " + std::to_string(shape.inputs) + " are not known");
    if (shape.hidden == 0 || shape.hidden % 16 || shape.hidden > kMostHidden) {
        refuse(std::to_string(shape.hidden) + " hidden units; a multiple of 16 up to 1024 is read");
    }
    if (shape.middle % 16 || shape.middle > kMostMiddle) {
        refuse(std::to_string(shape.middle) + " units in the middle; 0 or a multiple of 16 up to 256 is read");
    }
    if (shape.heads != 1 && shape.heads != 4) refuse(std::to_string(shape.heads) + " heads; 1 or 4 are read");
    if (shape.per_checker > 1) refuse("a scoring that is not known");
    first.resize(static_cast<std::size_t>(version_->size) * shape.hidden);
    first_bias.resize(shape.hidden);
    middle.resize(static_cast<std::size_t>(shape.middle) * shape.hidden);
    middle_bias.resize(shape.middle);
    last.resize(static_cast<std::size_t>(shape.outputs()) * shape.last());
    last_bias.resize(shape.outputs());
}

Net::Net(const NetShape& shape, std::uint64_t seed) : Net(shape) {
    Stream stream(seed, 0);
    const auto fill = [&](std::vector<float>& weights, double range) {
        for (float& weight : weights) weight = static_cast<float>((2 * stream.unit() - 1) * range);
    };
    fill(first, 0.1);
    fill(middle, 0.1);
    fill(last, 0.1);
}

Net Net::parse(const std::string& bytes) {
    const std::string magic = bytes.substr(0, kMagicSize);
    if (magic != kMagic && magic != kOldMagic) refuse("does not begin as one");
    const std::size_t header = kMagicSize + (magic == kMagic ? sizeof(NetShape) : kOldShape);
    if (bytes.size() < header) refuse("ends within its header");
    NetShape shape;
    std::memcpy(&shape, bytes.data() + kMagicSize, header - kMagicSize);
    Net net(shape);
    std::size_t weights = 0;
    for (const std::vector<float>* part : parts(net)) weights += part->size();
    const std::size_t expected = header + 2 * weights + sizeof(std::uint64_t);
    if (bytes.size() != expected) {
        refuse(std::to_string(bytes.size()) + " bytes; its header asks for " + std::to_string(expected));
    }
    std::uint64_t sum;
    std::memcpy(&sum, bytes.data() + expected - sizeof sum, sizeof sum);
    if (sum != checksum(bytes.data(), expected - sizeof sum)) refuse("checksum differs, so it is damaged");
    const char* at = bytes.data() + header;
    for (std::vector<float>* part : parts(net)) {
        for (float& weight : *part) {
            std::uint16_t half;
            std::memcpy(&half, at, sizeof half);
            weight = from_half(half);
            if (!std::isfinite(weight)) refuse("a weight is not a number");
            at += sizeof half;
        }
    }
    if (shape.middle) net.fixed_ = Fixed(net.first, net.middle, net.middle_bias, static_cast<int>(shape.hidden));
    if (net.fixed_.empty() && kernel().gather_halves) {
        std::transform(net.first.begin(), net.first.end(), std::back_inserter(net.first_halves_), to_half);
    }
    return net;
}

std::string Net::bytes() const {
    std::string out(kMagic, kMagicSize);
    out.append(reinterpret_cast<const char*>(&shape_), sizeof shape_);
    for (const std::vector<float>* part : parts(*this)) {
        for (float weight : *part) {
            const std::uint16_t half = to_half(weight);
            out.append(reinterpret_cast<const char*>(&half), sizeof half);
        }
    }
    const std::uint64_t sum = checksum(out.data(), out.size());
    out.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return out;
}

Net Net::widened(std::uint32_t heads) const {
    NetShape shape = shape_;
    if (shape.heads != 1) refuse("only a net with one head can be given more");
    shape.heads = heads;
    Net wide(shape);
    wide.first = first;
    wide.first_halves_ = first_halves_;
    wide.fixed_ = fixed_;
    wide.first_bias = first_bias;
    wide.middle = middle;
    wide.middle_bias = middle_bias;
    for (std::size_t i = 0; i < wide.last.size(); ++i) wide.last[i] = last[i % last.size()];
    for (std::size_t i = 0; i < wide.last_bias.size(); ++i) wide.last_bias[i] = last_bias[i % last_bias.size()];
    return wide;
}

void Net::figures(const float* shares, Values& out) const {
    for (std::uint32_t head = 0; head < shape_.heads; ++head) {
        const float* s = shares + head * shape_.figures();
        Figures& f = out[head];
        f = {};
        f[0] = s[0];
        if (shape_.per_checker) {
            f[1] = s[0] * s[1] * kMostPoints;
            f[2] = (1 - s[0]) * s[2] * kMostPoints;
        } else {
            f[1] = s[0] * s[1];
            f[2] = f[1] * s[2];
            f[3] = (1 - s[0]) * s[3];
            f[4] = f[3] * s[4];
        }
    }
}

void Net::evaluate(const Position& position, Values& out) const { evaluate(&position, 1, &out); }

void Net::evaluate(const Position* positions, std::size_t count, Values* out) const {
    static constexpr int kNothing[kMostInputs] = {};
    Inputs inputs;
    std::unique_ptr<Pairs[]> pairs;  // large, and asked for by nets in whole numbers alone
    if (!fixed_.empty()) pairs = std::make_unique_for_overwrite<Pairs[]>(std::min<std::size_t>(count, kMostTogether));
    float hidden[kMostTogether * kMostHidden];
    for (std::size_t done = 0; done < count; done += kMostTogether) {
        const std::size_t now = std::min<std::size_t>(count - done, kMostTogether);
        for (std::size_t i = 0; i < now; ++i) {
            version_->encode(positions[done + i], inputs);
            if (fixed_.empty()) {
                gather(first_bias.data(), inputs, hidden + i * shape_.hidden);
            } else {
                fixed_.difference(kNothing, inputs, pairs[i]);
            }
        }
        if (fixed_.empty()) {
            conclude(hidden, static_cast<int>(now), out + done);
        } else {
            conclude(first_bias.data(), pairs.get(), static_cast<int>(now), out + done);
        }
    }
}

void Net::gather(const float* sums, const Inputs& inputs, float* out) const {
    const Kernel& k = kernel();
    const int width = static_cast<int>(shape_.hidden);
    if (first_halves_.empty()) return k.gather(first.data(), sums, width, inputs.index, inputs.value, inputs.count, out);
    k.gather_halves(first_halves_.data(), sums, width, inputs.index, inputs.value, inputs.count, out);
}

void Net::conclude(float* hidden, int count, Values* out) const {
    const int units = static_cast<int>(shape_.middle), width = static_cast<int>(shape_.hidden);
    kernel().sigmoid(hidden, count * width);
    if (!units) return figure(hidden, count, out);
    float between[kMostTogether * kMostMiddle];
    kernel().products(middle.data(), middle_bias.data(), units, width, hidden, count, between);
    kernel().sigmoid(between, count * units);
    figure(between, count, out);
}

void Net::conclude(const float* sums, const Pairs* pairs, int count, Values* out) const {
    std::int16_t hidden[kMostTogether * kMostHidden];
    float between[kMostTogether * kMostMiddle];
    fixed_.hidden(sums, pairs, count, hidden);
    fixed_.products(hidden, count, between);
    kernel().sigmoid(between, count * static_cast<int>(shape_.middle));
    figure(between, count, out);
}

void Net::figure(const float* seen, int count, Values* out) const {
    const int outputs = shape_.outputs();
    float shares[kMostTogether * kMostOutputs];
    kernel().products(last.data(), last_bias.data(), outputs, static_cast<int>(shape_.last()), seen, count, shares);
    kernel().sigmoid(shares, count * outputs);
    for (int i = 0; i < count; ++i) figures(shares + i * outputs, out[i]);
}

}  // namespace barpoint
