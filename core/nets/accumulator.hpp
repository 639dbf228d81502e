// A net on many positions that differ little from one, as the replies to a roll do: the sums of its first layer are
// taken once for that one, and only what differs is added for each of the others.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nets/inputs.hpp"
#include "nets/net.hpp"

namespace barpoint {

// Scratch of one thread.
class Fan {
  public:
    // The one position; nothing is computed before it is needed, nor again for the same net and position.
    void open(const Net& net, const Position& base) {
        if (net_ == &net && base_ == base) return;
        net_ = &net;
        base_ = base;
        summed_ = false;
    }

    // To be called when the net has changed.
    void forget() { net_ = nullptr; }

    // Figures of the positions with these numbers, in this order, as Net::evaluate gives them, but for the last bits: sums
    // of floats are taken in another order.
    void evaluate(const Position* positions, std::span<const std::uint32_t> numbers, Values* out);

  private:
    void sum();
    void gather(int count);
    void sort(const Position* positions, std::span<const std::uint32_t> numbers);

    const Net* net_ = nullptr;
    Position base_;
    bool summed_ = false;
    Glance glance_;                      // at positions beside the base
    float dense_[kMaxInputs];           // inputs of the base
    float sums_[Net::kMaxHidden];       // of its first layer
    Fixed::Base whole_;                  // both in whole numbers
    float hidden_[Net::kMaxTogether * Net::kMaxHidden];
    std::unique_ptr<Pairs[]> pairs_;  // [Net::kMaxTogether]
    Position positions_[Net::kMaxTogether];
    Values found_[Net::kMaxTogether];
    std::vector<std::uint32_t> turns_;  // in which the numbers are looked at
    std::vector<std::uint8_t> phases_;  // by turn
};

}  // namespace barpoint
