// Fitting a net to samples: cross-entropy and the error of the equity, one batch at a time, Adam.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "nets/net.hpp"
#include "training/selfplay.hpp"

namespace barpoint {

// Trains a copy of the weights in its own layout; hand_over() writes them to the net.
class Fitter {
  public:
    // Another number of threads sums in another order, so weights differ in the last bits.
    explicit Fitter(Net& net, int threads = 1);

    // One step of `rate` on the samples that `order` names; returns the sum of squared errors of the chances to win.
    // A token state whose target is not a number learns nothing from that sample.
    double step(const Sample* samples, const std::uint32_t* order, std::size_t count, float rate);
    void hand_over();

  private:
    static constexpr int kTogether = 32;  // samples that pass through the net together; results do not depend on it

    // Weights [rows][width] and a bias of each row.
    struct Part {
        std::vector<float> weights, mean, square;
        float most;  // upper bound of the weights
    };
    enum { kFirst, kFirstBias, kHidden2, kHidden2Bias, kOutput, kOutputBias, kParts };

    // Scratch of one thread.
    struct Worker {
        std::array<std::vector<float>, kParts> gradient;
        std::vector<Position> positions;                                    // [kTogether]
        std::vector<Inputs> inputs;                                         // [kTogether]
        std::vector<float> hidden, between, shares, slope, outer, delta;  // [kTogether][..]
        std::array<std::vector<std::uint32_t>, kPhases> order;  // its samples by phase
        double error = 0;
    };

    template <class Work>
    void share_out(const Work& work);
    void learn_slice(Worker& worker, const Sample* samples, const std::uint32_t* order, std::size_t count, float share) const;
    void learn(Worker& worker, const Sample* samples, const std::uint32_t* order, std::size_t phase, int count, float share) const;
    void forward(Worker& worker, std::size_t phase, int count) const;
    std::size_t offset(int part, std::size_t phase) const;
    void judge(Worker& worker, const Sample* samples, const std::uint32_t* order, int count, float share) const;
    void back(Worker& worker, int part, std::size_t phase, const float* slope, int rows, const float* in, int width, int count,
              float* out) const;
    void apply(std::size_t number, float rate);
    template <class Visit>
    void visit_first(const Visit& visit) const;

    Net& net_;
    int inputs_, hidden_, units_, outputs_;
    int stride_;  // from one sample's hidden units to the next's
    std::array<Part, kParts> parts_;
    std::vector<Worker> workers_;
    int steps_ = 0;
};

}  // namespace barpoint
