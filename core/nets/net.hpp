// A net: versioned inputs, one or two hidden layers, and for each state the probabilities of payout.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nets/inputs.hpp"
#include "nets/quantized.hpp"
#include "rules/payout.hpp"
#include "rules/phase.hpp"

namespace barpoint {

// What the outputs say: chances by level, points by the checker, or chances by level for each gammon state (rules/payout.hpp).
enum class Outputs : std::uint32_t { levels, checkers, gammon_states };

struct NetShape {
    std::uint32_t inputs = kHitInputs;  // version
    std::uint32_t hidden = 128;            // units of the first hidden layer; a multiple of 16
    std::uint32_t states = 1;               // 1, or 4: by token state or by gammon state
    Outputs kind = Outputs::levels;
    std::uint32_t hidden2 = 0;              // units of the second hidden layer; 0 (none) or a multiple of 16
    std::uint32_t phases = 1;              // 1, or kPhases with a second layer: each phase has its own second and output layer

    std::uint32_t output_inputs() const { return hidden2 ? hidden2 : hidden; }  // units that feed the output layer
    bool per_checker() const { return kind == Outputs::checkers; }
    bool by_gammons() const { return kind == Outputs::gammon_states; }
    int outputs_per_state() const { return per_checker() ? 3 : 5; }
    int outputs() const { return static_cast<int>(states) * outputs_per_state(); }
    bool operator==(const NetShape&) const = default;
};

// The most points a game can pay where it pays by the checker: what an output of 1 stands for.
inline constexpr float kMaxPoints = 15;

// The last layer of a net at given stakes, made from its own.
struct OutputLayer {
    int states = 0;                    // sets of probabilities
    std::vector<float> weights, bias;  // [phases][states * outputs of a state][output_inputs()], [phases][..]
};

class Net {
  public:
    static constexpr std::uint32_t kMaxHidden = QuantizedLayers::kMaxHidden;
    static constexpr std::uint32_t kMaxHidden2 = QuantizedLayers::kMaxHidden2;

    // Small random weights from a seed. Raises std::invalid_argument for a shape that cannot be.
    Net(const NetShape& shape, std::uint64_t seed);
    // The net of a file. Raises std::invalid_argument that says how the file is damaged.
    static Net parse(std::string_view bytes);
    // Header, weights as IEEE half floats, checksum.
    std::string bytes() const;

    // A copy with four states of outputs of this kind, each a copy of the one there is. Raises std::invalid_argument if there are several already.
    Net widened(Outputs kind) const;
    // A copy that knows money alone, where this net's states say whose gammons count; else a copy.
    Net for_money() const;
    // A copy with phases, each a copy of the one there is.
    Net divided() const;
    // A copy that sees pairs of points besides, with weights of 0. Raises std::invalid_argument for other inputs than kHitInputs.
    Net paired() const;

    // A copy with the units of the first layer reordered. Raises std::invalid_argument unless `order` names each unit once.
    Net arranged(const std::vector<std::size_t>& order) const;
    // The net `share` of the way to another one of its shape, weight by weight.
    Net towards(const Net& other, float share) const;

    const NetShape& shape() const { return shape_; }
    const InputVersion& version() const { return *version_; }

    // The output layer of a net whose states say whose gammons count, for one or several prices of gammons: a mix of its states.
    OutputLayer output_layer(std::span<const GammonPrices> prices) const;

    // Probabilities of each state for the player to act in a game that is not over, by its own output layer or by another one.
    void evaluate(const Position& position, Values& out) const;
    // The same of many positions; values may differ in the last bits.
    void evaluate(const Position* positions, std::size_t count, Values* out, const OutputLayer* layer = nullptr) const;

    // The two halves of an evaluation in floats. gather: first-layer sums [hidden], from sums [hidden] and the inputs to add.
    // conclude: probabilities from the sums of `count` positions, [count][hidden], which it overwrites. phases: of each
    // position; faster where positions of one phase are adjacent.
    static constexpr int kMaxTogether = InputBatch::kMax;
    void gather(const float* sums, const Inputs& inputs, float* out) const;
    // Faster for a net that was read from a file and sees checker counts alone: sums of one position from those of another.
    bool by_counts() const { return !by_counts_.empty(); }
    void gather(const float* sums, const Position& from, const Position& to, float* out) const;
    void conclude(float* hidden, const std::uint8_t* phases, int count, Values* out, const OutputLayer* layer = nullptr) const;
    std::uint8_t phase(const Position& position) const {
        return shape_.phases == 1 ? 0 : static_cast<std::uint8_t>(phase_of(position, version_->contact(position)));
    }
    // Activations of the first layer, [count][hidden], of a quantized net.
    void activations(const Position* positions, std::size_t count, std::int16_t* out) const;
    // The hidden layers in int16; empty for nets without a second layer and for nets that are being trained.
    const QuantizedLayers& quantized() const { return quantized_; }
    // Probabilities from first-layer sums [hidden] and the inputs to add for each position. base, where given: a nearby
    // position whose second-layer products are reused; the inputs are then chained.
    void conclude(const int* sums, QuantizedLayers::Base* base, const Pairs* pairs, const Flags* flags, const std::uint8_t* phases, int count, Values* out,
                  const OutputLayer* layer = nullptr) const;

    // Outputs of one position -> probabilities of so many states. An output is conditional on its parent (a gammon on a win).
    void to_probabilities(const float* shares, int states, Values& out) const;

    // All weights of a net, layer by layer, each before its biases: the order of the file.
    template <class Self>
    static auto parts(Self& net) {
        return std::array{&net.first, &net.first_bias, &net.hidden2, &net.hidden2_bias, &net.output, &net.output_bias};
    }

    // Drops what was precomputed from the weights. Must be called before weights change.
    void dequantize() {
        by_counts_.clear();
        quantized_ = {};
    }

    std::vector<float> first;        // [inputs][hidden]
    std::vector<float> first_bias;   // [hidden]
    std::vector<float> hidden2;       // [phases][hidden2][hidden]
    std::vector<float> hidden2_bias;  // [phases][hidden2]
    std::vector<float> output;         // [phases][outputs][output_inputs()]
    std::vector<float> output_bias;    // [phases][outputs]

  private:
    explicit Net(const NetShape& shape);
    Net grown(const NetShape& shape) const;
    NetShape shape_;
    const InputVersion* version_;
    // From activations of the last hidden layer, [count][output_inputs()], of positions of one phase.
    void outputs_of(const float* seen, std::uint32_t phase, int count, const OutputLayer* layer, Values* out) const;

    void sum_counts();

    std::vector<float> by_counts_;  // [byte of a position][count][hidden], or empty
    QuantizedLayers quantized_;
};

}  // namespace barpoint
