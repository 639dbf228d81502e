// The two hidden layers of a net in whole numbers of 16 bits: sums are exact, so the same in any order and on any
// instruction set, and take half the time of floats.
#pragma once

#include <cstdint>
#include <vector>

#include "inputs.hpp"
#include "kernels/kernel.hpp"

namespace barpoint {

class Fixed {
  public:
    Fixed() = default;
    // first [inputs][hidden], middle [phases][units][hidden], middle_bias [phases][units]. Weights that 16 bits cannot hold
    // leave it empty.
    Fixed(const std::vector<float>& first, const std::vector<float>& middle, const std::vector<float>& middle_bias, int hidden,
          std::uint32_t phases);

    bool empty() const { return scale_.empty(); }

    // The inputs in the units of their rows; out is [inputs], 0 but for these.
    void count(const Inputs& inputs, int* out) const;
    // What is to be added to sums that hold the inputs `base` [inputs] to get those of each of `count` positions that were
    // looked at.
    void differences(const int* base, const InputVersion& version, const Glance& glance, int count, Pairs* out) const;

    // sums [hidden] + pairs -> [hidden]
    void gather(const float* sums, const Pairs& pairs, float* out) const;
    // The same for each of many, and what the units then give: [count][hidden], whole numbers.
    void hidden(const float* sums, const Pairs* pairs, int count, short* out) const;
    // The second layer of a phase before its sigmoid, [count][units].
    void products(std::uint32_t phase, const short* hidden, int count, float* out) const;

  private:
    class Writer;
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
    void fix_first(const std::vector<float>& first);
    // A second layer: weights as Kernel has them, and what 1 stands for in the sums of each unit.
    struct Second {
        Lines weights;
        std::vector<float> bias, unit;
    };
    Second fix_middle(const float* middle, const float* bias) const;
    int whole(int row, float value) const;
    void write(const int* base, const Inputs& changed, Writer& out) const;
    int pairs_of_rows() const { return static_cast<int>((scale_.size() + 1) / 2); }

    int hidden_ = 0, units_ = 0;
    float unit_ = 0;  // what 1 stands for in the sums of the first layer
    std::vector<float> scale_;  // of each input: in whole numbers it is so many times itself
    std::vector<float> most_;   // and its largest weight
    Lines first_;  // as Kernel has them
    std::vector<Second> seconds_;  // of each phase
};

}  // namespace barpoint
