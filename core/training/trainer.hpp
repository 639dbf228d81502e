// The three long jobs of training: learning while playing, labelling, fitting.
#pragma once

#include <cstdint>
#include <vector>

#include "job.hpp"
#include "nets/net.hpp"
#include "training/fit.hpp"
#include "training/selfplay.hpp"

namespace barpoint {

// Learning rate: falls geometrically from first to last.
struct Rate {
    double first = 3e-3, last = 5e-4;
    double at(double share_done) const;
};

// Plays games and learns from each round of them at once; changes the net. The same result for any number of threads.
void learn_by_playing(Job& job, Net& net, const SelfPlay& settings, std::uint64_t seed,
                      std::int64_t games, Rate rate, int threads);

// Plays games first_game .. first_game + games - 1 and keeps their samples, in the order of the games.
void label(Job& job, const Net& net, const SelfPlay& settings, std::uint64_t seed,
           std::int64_t first_game, std::int64_t games, int threads, std::vector<Sample>& out);

// Passes over the samples `epochs` times, in another order each time; changes the net. Samples of one roll stay together.
void fit(Job& job, Net& net, const std::vector<Sample>& samples, int epochs, int batch, Rate rate, double sibling_weight,
         int fixed_layers, std::uint64_t seed, int threads);

}  // namespace barpoint
