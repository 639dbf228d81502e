// How many turns one side needs to bear off, when it plays for the least mean number of turns (rulings 9.5).
// A roll that earns another one is part of the same turn, so with most dice turns are rolls.
#pragma once

#include <cstdint>
#include <vector>

#include "tables/bearoff.hpp"

namespace barpoint {

// Chances of needing exactly 0, 1, 2, ... turns. What is beyond the last is below 1e-12 and counted in it.
struct Turns {
    const double* chances = nullptr;
    std::size_t count = 0;
};

class OneSided {
  public:
    // For every position of up to `checkers` at home; std::invalid_argument where a side might never get home.
    OneSided(const Rules& rules, int checkers);

    int checkers() const { return checkers_; }
    const std::vector<double>& means() const { return all_.means; }
    // Until everything is borne off.
    Turns turns(std::uint32_t index) const { return all_.turns(index); }
    // Until the first checker is: played for that alone. 0 turns where one is off already.
    Turns first(std::uint32_t index) const { return first_.turns(index); }

  private:
    // A position while its rolls are played: mean and chances of the turns that it needs, and the chance that nothing moves.
    struct Turn {
        double mean = 0, stay = 0;
        std::vector<double> sum;
    };
    struct Column {
        std::vector<double> means;
        std::vector<double> chances;
        std::vector<std::uint32_t> starts = {0};

        Turns turns(std::uint32_t index) const {
            return {chances.data() + starts[index], starts[index + 1] - starts[index]};
        }
        void add_done() { add(0, {1.0}); }
        // Plays a roll from position `index` by the best of its results.
        void play(const std::vector<HomeResult>& results, std::uint32_t index, double chance, Turn& turn) const;
        // The next position, whose rolls have all been played.
        void add(Turn& turn);
        void add(double mean, const std::vector<double>& distribution);
    };

    int checkers_;
    Column all_, first_;
};

// The chance that the side on roll, needing `us`, is done no later than the other side, needing `them`, is: it wins the
// race. With `them` until the first checker it is the chance of winning a gammon.
double race(Turns us, Turns them);

// Mean pips of a turn's first roll: what turns a mean into an effective pip count.
double mean_pips(const Rules& rules);

}  // namespace barpoint
