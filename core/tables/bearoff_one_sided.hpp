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
    struct Column {
        std::vector<double> means;
        std::vector<double> chances;
        std::vector<std::uint32_t> starts = {0};

        Turns turns(std::uint32_t index) const {
            return {chances.data() + starts[index], starts[index + 1] - starts[index]};
        }
        void add_done() { add(0, {1.0}); }
        void add(double mean, const std::vector<double>& distribution);
    };

    void solve(const Rules& rules, HomePlays& plays, std::uint32_t index, Column& column) const;

    int checkers_;
    Column all_, first_;
};

// The chance that the side on roll, needing `us`, is done no later than the other side, needing `them`, is: it wins the
// race. With `them` until the first checker it is the chance of winning a gammon.
double race(Turns us, Turns them);

// Mean pips of a turn's first roll: what turns a mean into an effective pip count.
double mean_pips(const Rules& rules);

}  // namespace barpoint
