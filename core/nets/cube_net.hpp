// A small net that says how efficiently the cube will be used in a position (docs/engine.md, "Cube").
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/features.hpp"
#include "rules/payout.hpp"

namespace barpoint {

// Inputs: the features of a position as nets see them, without checker counts, then a few numbers that follow from its
// probabilities. Two layers of units that are 0 below 0, then the efficiencies, linear.
class CubeNet {
  public:
    static constexpr int kOwners = 3;             // nobody, the player to act, the other side
    static constexpr int kProbabilityInputs = 8;  // see probability_inputs()
    static constexpr int kInputs = kFeatures + kProbabilityInputs;
    static constexpr std::uint32_t kMaxHidden = 256;  // of each layer; a multiple of 16

    // The net of a file. Raises std::invalid_argument that says how the file is damaged.
    static CubeNet parse(const std::string& bytes);
    // A net with these weights, rounded as in a file: first [kInputs][hidden], first_bias [hidden], second [hidden2][hidden],
    // second_bias [hidden2], output [kOwners][hidden2], output_bias [kOwners]. Raises std::invalid_argument for sizes that do
    // not fit.
    using Weights = std::array<std::vector<float>, 6>;
    explicit CubeNet(const Weights& weights);
    // Header, weights as IEEE half floats, checksum.
    std::string bytes() const;

    // Cube efficiencies by owner; position and probabilities of the player to act, who has not rolled.
    std::array<double, kOwners> evaluate(const Position& position, const Probabilities& probabilities) const;

    // What the net sees.
    static std::array<float, kInputs> inputs(const Position& position, const Probabilities& probabilities);

  private:
    // The probabilities, gammons and backgammons a win and a loss, and where the chance to win lies between the live take and
    // cash points for money: 0 at the first, 1 at the second.
    static std::array<float, kProbabilityInputs> probability_inputs(const Probabilities& probabilities);
    static constexpr std::size_t kFirst = 0, kFirstBias = 1, kSecond = 2, kSecondBias = 3, kOutput = 4, kOutputBias = 5;

    CubeNet(std::uint32_t hidden, std::uint32_t hidden2);

    std::uint32_t hidden_, hidden2_;
    Weights weights_;
};

}  // namespace barpoint
