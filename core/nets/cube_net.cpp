#include "nets/cube_net.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "kernels/dispatch.hpp"
#include "nets/checksum.hpp"
#include "nets/half.hpp"
#include "nets/inputs.hpp"

namespace barpoint {
namespace {

constexpr char kMagic[] = "BPCUB004";
constexpr std::size_t kMagicSize = 8;

struct Shape {
    std::uint32_t inputs = kHitInputs;  // the version whose features these are
    std::uint32_t hidden = 0, hidden2 = 0;
};
constexpr std::size_t kHeader = kMagicSize + sizeof(Shape);

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("cube net file: " + why); }

}  // namespace

CubeNet::CubeNet(std::uint32_t hidden, std::uint32_t hidden2) : hidden_(hidden), hidden2_(hidden2) {
    for (std::uint32_t units : {hidden, hidden2}) {
        if (units == 0 || units % 16 || units > kMaxHidden) {
            refuse(std::to_string(units) + " units in a layer; a multiple of 16 up to " + std::to_string(kMaxHidden) + " is read");
        }
    }
    const std::size_t first = hidden, second = hidden2;
    const std::size_t sizes[] = {kInputs * first, first, second * first, second, kPlaces * second, kPlaces};
    for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i].resize(sizes[i]);
}

CubeNet::CubeNet(const Weights& weights)
    : CubeNet(static_cast<std::uint32_t>(weights[kFirstBias].size()), static_cast<std::uint32_t>(weights[kSecondBias].size())) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i].size() != weights_[i].size()) refuse("weights of another shape");
        std::transform(weights[i].begin(), weights[i].end(), weights_[i].begin(), [](float weight) { return from_half(to_half(weight)); });
    }
}

CubeNet CubeNet::parse(const std::string& bytes) {
    if (bytes.substr(0, kMagicSize) != kMagic) refuse("does not begin as one");
    if (bytes.size() < kHeader) refuse("ends within its header");
    Shape shape;
    std::memcpy(&shape, bytes.data() + kMagicSize, sizeof shape);
    if (shape.inputs != kHitInputs) refuse("inputs of version " + std::to_string(shape.inputs) + " are not known");
    CubeNet net(shape.hidden, shape.hidden2);
    std::size_t weights = 0;
    for (const std::vector<float>& part : net.weights_) weights += part.size();
    const std::size_t expected = kHeader + 2 * weights + sizeof(std::uint64_t);
    if (bytes.size() != expected) {
        refuse(std::to_string(bytes.size()) + " bytes; its header asks for " + std::to_string(expected));
    }
    std::uint64_t sum;
    std::memcpy(&sum, bytes.data() + expected - sizeof sum, sizeof sum);
    if (sum != checksum(bytes.data(), expected - sizeof sum)) refuse("checksum differs, so it is damaged");
    const char* at = bytes.data() + kHeader;
    for (std::vector<float>& part : net.weights_) {
        for (float& weight : part) {
            std::uint16_t half;
            std::memcpy(&half, at, sizeof half);
            weight = from_half(half);
            if (!std::isfinite(weight)) refuse("a weight is not a number");
            at += sizeof half;
        }
    }
    return net;
}

std::string CubeNet::bytes() const {
    const Shape shape{kHitInputs, hidden_, hidden2_};
    std::string out(kMagic, kMagicSize);
    out.append(reinterpret_cast<const char*>(&shape), sizeof shape);
    for (const std::vector<float>& part : weights_) {
        for (float weight : part) {
            const std::uint16_t half = to_half(weight);
            out.append(reinterpret_cast<const char*>(&half), sizeof half);
        }
    }
    const std::uint64_t sum = checksum(out.data(), out.size());
    out.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return out;
}

std::array<float, CubeNet::kProbabilityInputs> CubeNet::probability_inputs(const Probabilities& f) {
    const auto level = [](float all, float gammons, float backgammons) {
        if (all <= 1e-6f) return 1.0f;
        const float g = std::clamp(gammons / all, 0.0f, 1.0f);
        return 1 + g + std::clamp(backgammons / all, 0.0f, g);
    };
    const float p = std::clamp(f[0], 0.0f, 1.0f);
    return {f[0], f[1], f[2], f[3], f[4], level(p, f[1], f[2]) - 1, level(1 - p, f[3], f[4]) - 1};
}

void CubeNet::feature_inputs(const Position* positions, std::size_t count, FeatureInputs* out) {
    FeatureBatch features;
    kernel().compute_features(reinterpret_cast<const unsigned char*>(positions), static_cast<int>(count), Interaction::hits, features);
    for (std::size_t c = 0; c < count; ++c) {
        for (std::size_t i = 0; i < kFeatures; i += 2) {
            const int word = features[i / 2][c];
            out[c][i] = static_cast<float>(static_cast<short>(word)) / kSteps;
            out[c][i + 1] = static_cast<float>(word >> 16) / kSteps;
        }
    }
}

std::array<float, CubeNet::kStakeInputs> CubeNet::stake_inputs(const Probabilities& probabilities, const CubeSight& sight) {
    std::array<float, kStakeInputs> out;
    const std::array<float, kProbabilityInputs> seen = probability_inputs(probabilities);
    std::copy(seen.begin(), seen.end(), out.begin());
    std::memcpy(out.data() + kProbabilityInputs, &sight, sizeof sight);
    return out;
}

std::array<float, CubeNet::kInputs> CubeNet::inputs(const Position& position, const Probabilities& probabilities, const CubeSight& sight) {
    std::array<float, kInputs> out;
    FeatureInputs features;
    feature_inputs(&position, 1, &features);
    const std::array<float, kStakeInputs> stakes = stake_inputs(probabilities, sight);
    std::copy(stakes.begin(), stakes.end(), std::copy(features.begin(), features.end(), out.begin()));
    return out;
}

template <std::size_t kCount>
void CubeNet::add_inputs(const std::array<float, kCount>& seen, int first, const float* before, float* out) const {
    Inputs set;
    for (std::size_t i = 0; i < kCount; ++i) set.add(first + static_cast<int>(i), seen[i]);
    kernel().gather(weights_[kFirst].data(), before, static_cast<int>(hidden_), set.index, set.value, set.count, out);
}

CubeNet::Sums CubeNet::sums(const Position& position) const {
    Sums out;
    sums(&position, 1, &out);
    return out;
}

void CubeNet::sums(const Position* positions, std::size_t count, Sums* out) const {
    FeatureInputs features[kBatchPositions];
    for (std::size_t first = 0; first < count; first += kBatchPositions) {
        const std::size_t part = std::min<std::size_t>(kBatchPositions, count - first);
        feature_inputs(positions + first, part, features);
        for (std::size_t c = 0; c < part; ++c) add_inputs(features[c], 0, weights_[kFirstBias].data(), out[first + c].data());
    }
}

std::array<double, CubeNet::kPlaces> CubeNet::evaluate(const Sums& sums, const Probabilities& probabilities, const CubeSight& sight) const {
    const auto above_zero = [](float* units, std::uint32_t count) {
        std::transform(units, units + count, units, [](float unit) { return std::max(unit, 0.0f); });
    };
    Sums first, second;
    add_inputs(stake_inputs(probabilities, sight), kFeatures, sums.data(), first.data());
    above_zero(first.data(), hidden_);
    kernel().products(weights_[kSecond].data(), weights_[kSecondBias].data(), static_cast<int>(hidden2_), static_cast<int>(hidden_), first.data(), 1,
                      second.data());
    above_zero(second.data(), hidden2_);
    std::array<double, kPlaces> out;
    for (std::size_t place = 0; place < kPlaces; ++place) {
        double sum = static_cast<double>(weights_[kOutputBias][place]);
        for (std::size_t i = 0; i < hidden2_; ++i) {
            sum += static_cast<double>(weights_[kOutput][place * hidden2_ + i]) * static_cast<double>(second[i]);
        }
        out[place] = std::clamp(sum, 0.0, kMost);
    }
    return out;
}

}  // namespace barpoint
