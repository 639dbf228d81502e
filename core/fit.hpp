// Fitting a net to samples: cross-entropy, one batch at a time, Adam.
#pragma once

#include <cstddef>
#include <vector>

#include "net.hpp"
#include "selfplay.hpp"

namespace barpoint {

class Fitter {
  public:
    explicit Fitter(Net& net);

    // One step of `rate` on the samples that `order` names; returns the sum of squared errors of the chances to win.
    // A head whose target is not a number learns nothing from that sample.
    double step(const Sample* samples, const std::uint32_t* order, std::size_t count, float rate);

  private:
    struct Moments {
        std::vector<float> gradient, mean, square;
    };
    void learn(const Sample& sample, float share, double& error);
    void back(const std::vector<float>& weights, Moments& own, Moments& bias, const float* slope, int rows,
              const float* in, int width, float* delta);
    void apply(std::vector<float>& weights, Moments& moments, float rate);

    Net& net_;
    Moments first_, first_bias_, middle_, middle_bias_, last_, last_bias_;
    int steps_ = 0;
};

}  // namespace barpoint
