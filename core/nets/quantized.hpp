// The two hidden layers of a net in whole numbers of 16 bits: sums are exact, so the same in any order and on any
// instruction set, and take half the time of floats.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernel.hpp"
#include "nets/inputs.hpp"
#include "rules/phase.hpp"

namespace barpoint {

class Fixed {
  public:
    static constexpr int kMaxHidden = 1024, kMaxMiddle = 256;
    // What it makes of one position, beside which others are seen.
    struct Base {
        int inputs[kMaxInputs];
        int sums[kMaxHidden];
        short hidden[kMaxHidden];
        std::uint32_t known;  // the phases, a bit each, whose products are there
        int products[kPhases][kMaxMiddle];
    };

    Fixed() = default;
    // first [inputs][hidden], first_bias [hidden], middle [phases][units][hidden], middle_bias [phases][units]. Weights that 16
    // bits cannot hold, or sums that 32 might not, leave it empty.
    Fixed(const std::vector<float>& first, const std::vector<float>& first_bias, const std::vector<float>& middle,
          const std::vector<float>& middle_bias, std::uint32_t phases, const InputVersion& version);

    // Weights as whole numbers count them, so that they say what floats say.
    static void round(std::vector<float>& first, std::vector<float>& middle, std::size_t hidden);

    bool empty() const { return first_bias_.empty(); }

    // Of the first position that was looked at, beside the empty board.
    void begin(const InputVersion& version, const Glance& glance, Base& out) const;
    // The sums of the empty board.
    const int* nothing() const { return first_bias_.data(); }
    // What is to be added to the sums of inputs `base` [inputs] to get those of each of `count` positions that were looked at.
    static void differences(const int* base, const InputVersion& version, const Glance& glance, int count, Pairs* out);
    // What the units give by sums [hidden] and what is to be added: [count][hidden].
    void hidden(const int* sums, const Pairs* pairs, int count, short* out) const;
    // The second layer of a phase before its sigmoid, [count][units]; sooner where the base is near.
    void products(std::uint32_t phase, Base* base, const short* hidden, int count, float* out) const;

  private:
    // Weights of the second layer as whole numbers count them: so many steps to 1, a power of 2.
    static double steps(const float* row, std::size_t width);

    // Weights that begin with a line of the cache.
    struct Lines {
        struct alignas(64) Line {
            short weights[32];
        };
        std::vector<Line> lines;

        void resize(std::size_t count) { lines.resize((count + 31) / 32); }
        short* data() { return lines.empty() ? nullptr : lines[0].weights; }
        const short* data() const { return lines.empty() ? nullptr : lines[0].weights; }
    };
    void fix_first(const std::vector<float>& first, const std::vector<float>& bias, const InputVersion& version);
    // A second layer: weights as Kernel has them, and what 1 stands for in the products of each unit.
    struct Second {
        Lines weights;
        std::vector<float> bias, unit;
    };
    Second fix_middle(const float* middle, const float* bias) const;

    int hidden_ = 0, units_ = 0;
    int pairs_ = 0;  // of rows
    Lines first_;    // as Kernel has them
    std::vector<int> first_bias_;
    std::vector<Second> seconds_;  // of each phase
};

}  // namespace barpoint
