// Evaluates a net on many positions that differ little from one base position, as the replies to a roll do: first-layer
// sums are taken once for the base, and only the differences are added for each position.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nets/inputs.hpp"
#include "nets/net.hpp"

namespace barpoint {

// For one thread.
class Accumulator {
  public:
    // Sets net and base. Nothing is computed until it is needed, nor again for the same net and base.
    void open(const Net& net, const Position& base) {
        if (net_ == &net && base_ == base) return;
        net_ = &net;
        base_ = base;
        summed_ = false;
    }

    // Must be called when the net has changed.
    void forget() { net_ = nullptr; }

    // Values of the positions with these numbers, in this order. They may differ from Net::evaluate in the last bits:
    // floats are summed in another order.
    // layer: the output layer in place of the net's.
    void evaluate(const Position* positions, std::span<const std::uint32_t> numbers, Values* out, const OutputLayer* layer = nullptr);

  private:
    void sum_base();
    void gather(int count);
    void sort(const Position* positions, std::span<const std::uint32_t> numbers);

    const Net* net_ = nullptr;
    Position base_;
    bool summed_ = false;
    InputBatch batch_;                      // inputs that differ from the base
    float dense_[kMaxInputs];           // inputs of the base
    float sums_[Net::kMaxHidden];       // first-layer sums of the base
    QuantizedLayers::Base base_sums_;                  // both in int16
    float hidden_[Net::kMaxTogether * Net::kMaxHidden];
    std::unique_ptr<Pairs[]> pairs_;  // [Net::kMaxTogether]
    Position positions_[Net::kMaxTogether];
    Values found_[Net::kMaxTogether];
    struct Turn {
        std::uint64_t key;     // by which they are ordered
        std::uint32_t number;  // among the positions that were asked for
    };
    std::vector<Turn> turns_;           // in order of evaluation
    std::vector<std::uint8_t> phases_;  // by turn
};

}  // namespace barpoint
