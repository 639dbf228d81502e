// Random numbers as a function of (seed, game, number): no state, so any thread can make any of them.
#pragma once

#include <cstdint>

namespace barpoint {

// The finaliser of splitmix64 (Vigna): every bit of the input reaches every bit of the result.
constexpr std::uint64_t mix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// 64 random bits for a key.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t game, std::uint64_t number) {
    std::uint64_t z = mix64(seed + 0x9E3779B97F4A7C15u);
    z = mix64(z ^ (game * 0xD1342543DE82EF95u + 0x2545F4914F6CDD1Du));
    return mix64(z ^ (number * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u));
}

// 0 <= result < limit, by multiplication: the bias is below limit / 2^32.
constexpr std::uint32_t random_below(std::uint64_t bits, std::uint32_t limit) {
    return static_cast<std::uint32_t>(((bits >> 32) * limit) >> 32);
}

// Numbers drawn one after the other from one key, where order is all that matters.
class Stream {
  public:
    Stream(std::uint64_t seed, std::uint64_t game) : seed_(seed), game_(game) {}
    std::uint64_t bits() { return random_bits(seed_, game_, number_++); }
    std::uint32_t below(std::uint32_t limit) { return random_below(bits(), limit); }
    double unit() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }  // 0 <= result < 1

  private:
    std::uint64_t seed_, game_, number_ = 0;
};

}  // namespace barpoint
