// The two hidden layers of a net, quantized to int16. Sums are exact, so they are the same in any order and on any
// instruction set, and take half the time of floats.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernel.hpp"
#include "nets/inputs.hpp"
#include "rules/phase.hpp"

namespace barpoint {

class QuantizedLayers {
  public:
    static constexpr int kMaxHidden = kMaxWidth, kMaxHidden2 = 256;
    // The layers' values for one position, from which those of nearby positions are computed.
    struct Base {
        int inputs[kMaxInputs];
        int sums[kMaxHidden];
        short hidden[kMaxHidden];
        std::uint32_t known;  // bit set of the phases whose products are computed
        int products[kPhases][kMaxHidden2];
    };

    QuantizedLayers() = default;
    // first [inputs][hidden], first_bias [hidden], hidden2 [phases][units][hidden], hidden2_bias [phases][units]. Empty where
    // int16 cannot hold the weights, or int32 might not hold the sums.
    QuantizedLayers(const std::vector<float>& first, const std::vector<float>& first_bias, const std::vector<float>& hidden2,
          const std::vector<float>& hidden2_bias, std::uint32_t phases, const InputVersion& version);

    // Rounds float weights to the values that int16 holds, so that floats and int16 agree.
    static void round(std::vector<float>& first, std::vector<float>& hidden2, std::size_t hidden);

    bool empty() const { return first_bias_.empty(); }

    // The base of the first position of a batch that was compared with the empty board.
    void begin(const InputVersion& version, const InputBatch& batch, Base& out) const;
    // First-layer sums of the empty board, [hidden].
    const int* empty_sums() const { return first_bias_.data(); }
    // The inputs to add to the sums of inputs `base` [inputs], of which features alone are read, for each of the `count` positions of a batch.
    static void differences(const int* base, const InputVersion& version, const InputBatch& batch, int count, Pairs* out);
    // Activations of the first layer, [count][hidden], from sums [hidden] and the inputs to add; if chained, to those of the position before.
    void hidden(const int* sums, const Pairs* pairs, const Flags* flags, int count, bool chained, short* out) const;
    // The second layer of a phase before its sigmoid, [count][units]; faster with a base.
    void products(std::uint32_t phase, Base* base, const short* hidden, int count, float* out) const;

  private:
    // The steps to 1, a power of 2, in which a row of second-layer weights is stored.
    static double steps(const float* row, std::size_t width);

    // Weights aligned to cache lines.
    struct Lines {
        struct alignas(64) Line {
            short weights[32];
        };
        std::vector<Line> lines;

        void resize(std::size_t count) { lines.resize((count + 31) / 32); }
        short* data() { return lines.empty() ? nullptr : lines[0].weights; }
        const short* data() const { return lines.empty() ? nullptr : lines[0].weights; }
    };
    void quantize_first(const std::vector<float>& first, const std::vector<float>& bias, const InputVersion& version);
    // A second layer: weights in the layout of Int16Kernel, and the float value of 1 in the products of each unit.
    struct Second {
        Lines weights;
        std::vector<float> bias, unit;
    };
    Second quantize_hidden2(const float* hidden2, const float* bias) const;

    int hidden_ = 0, units_ = 0;
    FirstLayer layer() const { return {first_.data(), pairs_, flags_.data(), together_}; }

    int pairs_ = 0, together_ = 0;  // as in FirstLayer
    Lines first_, flags_;           // in the layout of Int16Kernel
    std::vector<int> first_bias_;
    std::vector<Second> seconds_;  // of each phase
};

}  // namespace barpoint
