// Fitting a net to samples: cross-entropy, the error of the equity, and its error beside siblings, one batch at a time, Adam.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "nets/net.hpp"
#include "training/selfplay.hpp"
#include "training/team.hpp"

namespace barpoint {

// Plays of the same roll led to both.
inline bool siblings(const Sample& one, const Sample& other) { return one.roll >= 0 && one.roll == other.roll; }

// Trains a copy of the weights in its own layout; hand_over() writes them to the net.
class Fitter {
  public:
    // Another number of threads sums in another order, so weights differ in the last bits. sibling_weight: how much it counts
    // by how much the equity of a sample is further off than the mean of its roll, which decides between plays.
    // fixed_layers: so many layers, from the first on, stay as they are.
    explicit Fitter(Net& net, int threads = 1, double sibling_weight = 0, int fixed_layers = 0);

    // One step of `rate` on the samples that `order` names; returns the sum of squared errors of the chances to win.
    // A token state whose target is not a number learns nothing from that sample. Samples of one roll stand together.
    double step(const Sample* samples, const std::uint32_t* order, std::size_t count, float rate);
    void hand_over();

  private:
    static constexpr std::size_t kTogether = 32;  // samples that pass through the net together; results do not depend on it

    // Weights [rows][width] and a bias of each row.
    struct Part {
        std::vector<float> weights, mean, square;
        float most;  // upper bound of the weights
    };
    enum { kFirst, kFirstBias, kHidden2, kHidden2Bias, kOutput, kOutputBias, kParts };

    // Samples of one phase that pass through the net together: half-open, of a worker's rows.
    struct Run {
        std::size_t phase, begin, end;

        int count() const { return static_cast<int>(end - begin); }
    };
    // Scratch of one thread: a row for each sample of its slice, phase by phase.
    struct Worker {
        std::array<std::vector<float>, kParts> gradient;
        std::vector<Run> runs;
        std::array<std::vector<std::uint32_t>, kPhases> by_phase;  // samples, in the order of the slice
        std::vector<std::uint32_t> rows;  // of each sample, in the order of the slice
        std::vector<char> chained;        // whether a row is a sibling of the one before
        std::vector<Position> positions;
        std::vector<Inputs> inputs;
        std::vector<float> hidden, between, shares, slope, delta;  // [rows][..]
        std::vector<float> outer;                                  // [kTogether][..]
        double error = 0;
    };

    void learn_slice(Worker& worker, const Sample* samples, const std::uint32_t* order, std::size_t count, float share) const;
    void arrange(Worker& worker, const Sample* samples, const std::uint32_t* order, std::size_t count) const;
    void encode(Worker& worker) const;
    void forward_first(Worker& worker) const;
    void forward(Worker& worker, const Run& run) const;
    std::size_t offset(int part, std::size_t phase) const;
    void judge(Worker& worker, const Sample* samples, const std::uint32_t* order, std::size_t count, float share) const;
    void judge_roll(Worker& worker, const Sample* samples, const std::uint32_t* order, const std::uint32_t* rows,
                    std::size_t count, float share) const;
    void backward(Worker& worker, const Run& run) const;
    void backward_first(Worker& worker) const;
    void add_gradient(Worker& worker, int part, std::size_t phase, const float* slope, int rows, const float* in, int width, int count) const;
    void back(Worker& worker, int part, std::size_t phase, const float* slope, int rows, const float* in, int width, int count,
              float* out) const;
    void apply(std::size_t number, float rate);
    template <class Visit>
    void visit_first(const Visit& visit) const;

    Net& net_;
    int inputs_, hidden_, units_, outputs_;
    int stride_;  // from one sample's hidden units to the next's
    float sibling_weight_;
    int first_part_;  // that learns, and all after it
    std::array<Part, kParts> parts_;
    std::vector<Worker> workers_;
    Team team_;
    int steps_ = 0;
};

}  // namespace barpoint
