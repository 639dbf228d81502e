// A small net that says how efficiently the cube will be used in a position (docs/engine.md, "Cube").
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/features.hpp"
#include "rules/payout.hpp"

namespace barpoint {

// What is at stake where a cube net is asked, for the player to act.
struct CubeSight {
    float window = 0;                            // where the chance lies between the live take and cash points: 0 at the first, 1 at the second
    float take = 0;                              // our live take point, of the next cube if nobody is done with doubling then
    float own_gammons = 1, their_gammons = 1;    // what a gammon adds to a win, as a part of what it adds for money (GammonPrices)
    float next_own = 1, next_their = 1;          // the same with the next cube
    float dead = 0, their_dead = 0;              // 1 where a higher cube cannot help us, or the other side
    float their_next_dead = 0;                   // 1 where the cube cannot help the other side once we have doubled
};
inline constexpr int kCubeSights = 9;
static_assert(sizeof(CubeSight) == kCubeSights * sizeof(float));

// Inputs: the features of a position as nets see them, without checker counts, then a few numbers that follow from its
// probabilities, and what is at stake. Two layers of units that are 0 below 0, then the efficiencies, linear.
class CubeNet {
  public:
    static constexpr int kPlaces = 3;             // of the cube: centred, ours, theirs
    // Nobody doubles at the perfect moment every time; and where doubling costs nothing, a perfect cube would be worth as much as a double.
    static constexpr double kMost = 0.99;
    static constexpr int kProbabilityInputs = 7;  // see probability_inputs()
    static constexpr int kStakeInputs = kProbabilityInputs + kCubeSights;
    static constexpr int kInputs = kFeatures + kStakeInputs;
    static constexpr std::uint32_t kMaxHidden = 256;  // of each layer; a multiple of 16

    // The net of a file. Raises std::invalid_argument that says how the file is damaged.
    static CubeNet parse(const std::string& bytes);
    // A net with these weights, rounded as in a file: first [kInputs][hidden], first_bias [hidden], second [hidden2][hidden],
    // second_bias [hidden2], output [kPlaces][hidden2], output_bias [kPlaces]. Raises std::invalid_argument for sizes that do
    // not fit.
    using Weights = std::array<std::vector<float>, 6>;
    explicit CubeNet(const Weights& weights);
    // Header, weights as IEEE half floats, checksum.
    std::string bytes() const;

    // What the first layer makes of a position, before the probabilities and what is at stake.
    using Sums = std::array<float, kMaxHidden>;
    Sums sums(const Position& position) const;
    // The same of several positions, in a third of the time of one after another.
    void sums(const Position* positions, std::size_t count, Sums* out) const;
    // Cube efficiencies by place, 0 to kMost; position and probabilities of the player to act, who has not rolled.
    std::array<double, kPlaces> evaluate(const Sums& sums, const Probabilities& probabilities, const CubeSight& sight) const;

    // What the net sees.
    static std::array<float, kInputs> inputs(const Position& position, const Probabilities& probabilities, const CubeSight& sight);

  private:
    using FeatureInputs = std::array<float, kFeatures>;
    // The features of `count` positions, kBatchPositions at most.
    static void feature_inputs(const Position* positions, std::size_t count, FeatureInputs* out);
    static std::array<float, kStakeInputs> stake_inputs(const Probabilities& probabilities, const CubeSight& sight);
    // The probabilities, gammons and backgammons a win and a loss.
    static std::array<float, kProbabilityInputs> probability_inputs(const Probabilities& probabilities);
    static constexpr std::size_t kFirst = 0, kFirstBias = 1, kSecond = 2, kSecondBias = 3, kOutput = 4, kOutputBias = 5;

    CubeNet(std::uint32_t hidden, std::uint32_t hidden2);
    // The first layer's sums of inputs from `first` on, added to others.
    template <std::size_t kCount>
    void add_inputs(const std::array<float, kCount>& seen, int first, const float* before, float* out) const;

    std::uint32_t hidden_, hidden2_;
    Weights weights_;
};

}  // namespace barpoint
