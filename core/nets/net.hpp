// A net: versioned inputs, one or two hidden layers, and for every state of the markers the figures of payout.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nets/inputs.hpp"
#include "nets/quantized.hpp"
#include "rules/payout.hpp"
#include "rules/phase.hpp"

namespace barpoint {

struct NetShape {
    std::uint32_t inputs = kNewestInputs;  // version
    std::uint32_t hidden = 128;            // units that see the inputs; a multiple of 16
    std::uint32_t heads = 1;               // 1, or 4 with markers
    std::uint32_t per_checker = 0;
    std::uint32_t middle = 0;              // units between those and the figures; 0 or a multiple of 16
    std::uint32_t phases = 1;              // 1, or kPhases with units in the middle: each has its own, and its own last layer

    std::uint32_t last() const { return middle ? middle : hidden; }  // units that the figures see
    int figures() const { return per_checker ? 3 : 5; }
    int outputs() const { return static_cast<int>(heads) * figures(); }
};

// Points a won game can pay at most where it pays by the checker: what a share of 1 stands for.
inline constexpr float kMaxPoints = 15;

class Net {
  public:
    static constexpr std::uint32_t kMaxHidden = Fixed::kMaxHidden;
    static constexpr std::uint32_t kMaxMiddle = Fixed::kMaxMiddle;

    // Small random weights from a seed. Rolls std::invalid_argument for a shape that cannot be.
    Net(const NetShape& shape, std::uint64_t seed);
    // A net file; rolls std::invalid_argument when it is damaged, says how.
    static Net parse(const std::string& bytes);
    // Header, weights as IEEE half floats, checksum.
    std::string bytes() const;

    // The same net with so many heads, all alike: what it makes of rules whose markers it does not know.
    Net widened(std::uint32_t heads) const;
    // The same net with phases, all alike.
    Net divided() const;

    // The same net with its units of the first layer in another order; rolls std::invalid_argument where it is none.
    Net arranged(const std::vector<std::size_t>& order) const;

    const NetShape& shape() const { return shape_; }
    const InputVersion& version() const { return *version_; }

    // The figures of every head for the player to act in a game that is not over.
    void evaluate(const Position& position, Values& out) const;
    // Of many; values may differ in the last bits.
    void evaluate(const Position* positions, std::size_t count, Values* out) const;

    // Its two halves. The sums of the first layer, [hidden], from sums [hidden] and inputs that are not yet in them;
    // then the figures from that of so many positions, [count][hidden], which is lost. phases: of each position; sooner done
    // where those of one stand together.
    static constexpr int kMaxTogether = Glance::kMost;
    void gather(const float* sums, const Inputs& inputs, float* out) const;
    // Of a net from a file that sees nothing but what stands where also sooner: from the sums of one position those of another.
    bool by_counts() const { return !by_counts_.empty(); }
    void gather(const float* sums, const Position& from, const Position& to, float* out) const;
    void conclude(float* hidden, const std::uint8_t* phases, int count, Values* out) const;
    std::uint8_t phase(const Position& position) const {
        return shape_.phases == 1 ? 0 : static_cast<std::uint8_t>(phase_of(position));
    }
    // What the units of the first layer give, [count][hidden], in whole numbers, of a net that has them.
    void give(const Position* positions, std::size_t count, std::int16_t* out) const;
    // The same in whole numbers, where the net has them: figures from sums [hidden] and what is to be added for each position,
    // or from what it makes of one that is near.
    const Fixed& fixed() const { return fixed_; }
    void conclude(const int* sums, Fixed::Base* base, const Pairs* pairs, const std::uint8_t* phases, int count, Values* out) const;

    // Logits [outputs] -> figures of every head; a share is a chance given its parent (a gammon given a win).
    void figures(const float* shares, Values& out) const;

    // To be called before weights are changed: a net from a file also keeps its hidden layers in whole numbers, or what each
    // count on each place adds up to.
    void thaw() {
        by_counts_.clear();
        fixed_ = {};
    }

    std::vector<float> first;        // [inputs][hidden]
    std::vector<float> first_bias;   // [hidden]
    std::vector<float> middle;       // [phases][middle][hidden]
    std::vector<float> middle_bias;  // [phases][middle]
    std::vector<float> last;         // [phases][outputs][last()]
    std::vector<float> last_bias;    // [phases][outputs]

  private:
    explicit Net(const NetShape& shape);
    Net grown(const NetShape& shape) const;
    template <class Self>
    static auto parts(Self& net) {
        return std::array{&net.first, &net.first_bias, &net.middle, &net.middle_bias, &net.last, &net.last_bias};
    }
    NetShape shape_;
    const InputVersion* version_;
    // From what the last hidden layer gives, [count][last()], in positions of one phase.
    void figure(const float* seen, std::uint32_t phase, int count, Values* out) const;

    void sum_counts();

    std::vector<float> by_counts_;  // [byte of a position][count][hidden], or nothing
    Fixed fixed_;
};

}  // namespace barpoint
