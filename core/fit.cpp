#include "fit.hpp"

#include <algorithm>
#include <cmath>

#include "dispatch.hpp"

namespace barpoint {
namespace {

constexpr int kMostHidden = 1024;
constexpr int kMostOutputs = 32;
constexpr double kFloor = 1e-8;

// The slope of the cross-entropy by each logit: a share is a chance given its parent, so it weighs as its parent does.
void slopes(const Figures& target, const float* share, bool per_checker, float* out) {
    const float win = target[0], lose = 1 - target[0];
    out[0] = share[0] - win;
    if (per_checker) {
        out[1] = win * share[1] - target[1] / kMostPoints;
        out[2] = lose * share[2] - target[2] / kMostPoints;
    } else {
        out[1] = win * share[1] - target[1];
        out[2] = target[1] * share[2] - target[2];
        out[3] = lose * share[3] - target[3];
        out[4] = target[3] * share[4] - target[4];
    }
}

}  // namespace

Fitter::Fitter(Net& net) : net_(net) {
    net.thaw();
    const auto prepare = [](Moments& moments, const std::vector<float>& weights) {
        moments.gradient.assign(weights.size(), 0.0f);
        moments.mean.assign(weights.size(), 0.0f);
        moments.square.assign(weights.size(), 0.0f);
    };
    prepare(first_, net.first);
    prepare(first_bias_, net.first_bias);
    prepare(middle_, net.middle);
    prepare(middle_bias_, net.middle_bias);
    prepare(last_, net.last);
    prepare(last_bias_, net.last_bias);
}

// The slopes by what a layer was given, from those by what it gave; gathers its own gradients.
// weights [rows][width], slope [rows], in [width] -> delta [width]
void Fitter::back(const std::vector<float>& weights, Moments& own, Moments& bias, const float* slope, int rows,
                  const float* in, int width, float* delta) {
    const Kernel& k = kernel();
    std::fill_n(delta, width, 0.0f);
    for (int r = 0; r < rows; ++r) {
        if (slope[r] == 0.0f) continue;
        k.add(delta, slope[r], weights.data() + r * width, width);
        k.add(own.gradient.data() + r * width, slope[r], in, width);
        bias.gradient[r] += slope[r];
    }
    for (int i = 0; i < width; ++i) delta[i] *= in[i] * (1 - in[i]);
}

void Fitter::learn(const Sample& sample, float share, double& error) {
    const Kernel& k = kernel();
    const NetShape& shape = net_.shape();
    const int width = static_cast<int>(shape.hidden), units = static_cast<int>(shape.middle);
    const int outputs = shape.outputs(), last = static_cast<int>(shape.last());
    Inputs inputs;
    net_.version().encode(sample.position, inputs);
    float hidden[kMostHidden], between[kMostHidden], shares[kMostOutputs], slope[kMostOutputs];
    k.hidden(net_.first.data(), net_.first_bias.data(), width, inputs.index, inputs.value, inputs.count, hidden);
    if (units) {
        k.product(net_.middle.data(), net_.middle_bias.data(), units, width, hidden, between);
        k.sigmoid(between, units);
    }
    const float* seen = units ? between : hidden;
    k.product(net_.last.data(), net_.last_bias.data(), outputs, last, seen, shares);
    k.sigmoid(shares, outputs);
    int known = 0;
    for (std::uint32_t head = 0; head < shape.heads; ++head) known += !std::isnan(sample.target[head][0]);
    for (std::uint32_t head = 0; head < shape.heads; ++head) {
        const int at = static_cast<int>(head) * shape.figures();
        if (std::isnan(sample.target[head][0])) {
            std::fill_n(slope + at, shape.figures(), 0.0f);
            continue;
        }
        slopes(sample.target[head], shares + at, shape.per_checker != 0, slope + at);
        const double miss = shares[at] - sample.target[head][0];
        error += miss * miss / known;
    }
    for (int r = 0; r < outputs; ++r) slope[r] *= share;
    float delta[kMostHidden], outer[kMostHidden];
    if (units) {
        back(net_.last, last_, last_bias_, slope, outputs, between, units, outer);
        back(net_.middle, middle_, middle_bias_, outer, units, hidden, width, delta);
    } else {
        back(net_.last, last_, last_bias_, slope, outputs, hidden, width, delta);
    }
    k.spread(first_.gradient.data(), width, inputs.index, inputs.value, inputs.count, delta);
    k.add(first_bias_.gradient.data(), 1.0f, delta, width);
}

void Fitter::apply(std::vector<float>& weights, Moments& m, float rate) {
    kernel().adam(weights.data(), m.mean.data(), m.square.data(), m.gradient.data(), static_cast<int>(weights.size()),
                  rate, static_cast<float>(kFloor));
}

double Fitter::step(const Sample* samples, const std::uint32_t* order, std::size_t count, float rate) {
    double error = 0;
    for (std::size_t i = 0; i < count; ++i) learn(samples[order[i]], 1.0f / static_cast<float>(count), error);
    ++steps_;
    const double corrected = rate * std::sqrt(1 - std::pow(0.999, steps_)) / (1 - std::pow(0.9, steps_));
    apply(net_.first, first_, static_cast<float>(corrected));
    apply(net_.first_bias, first_bias_, static_cast<float>(corrected));
    apply(net_.middle, middle_, static_cast<float>(corrected));
    apply(net_.middle_bias, middle_bias_, static_cast<float>(corrected));
    apply(net_.last, last_, static_cast<float>(corrected));
    apply(net_.last_bias, last_bias_, static_cast<float>(corrected));
    return error;
}

}  // namespace barpoint
