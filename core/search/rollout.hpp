// Rollouts: a position is played out many times by the engine itself, with variance reduction: the luck of every roll is
// subtracted from the result.
//
// A game is a function of the specification and its number alone: any split over threads, processes or machines gives
// the same probabilities, bit for bit.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "job.hpp"
#include "nets/net.hpp"
#include "rules/rules.hpp"
#include "search/appraisal.hpp"
#include "search/search.hpp"
#include "tables/exact_tables.hpp"

namespace barpoint {

struct RolloutSettings {
    int plies = 0;       // search depth for plays
    int late_plies = 0;  // the same after late_from rolls
    int late_from = 0;   // 0: never
    int cube_plies = 0;  // search depth for cube decisions
    int truncate = 0;    // games end after this many rolls with the net's probabilities; 0: never
    bool tables = true;  // end games where exact tables know the rest; without a cube also in races that one-sided tables know
    bool reduce = true;  // variance reduction: subtract the luck of every roll
    bool stratify = true;
    std::uint64_t seed = 1;
    CubeEfficiency efficiency;

    // Plies looked ahead for a play after so many rolls of a game.
    int plies_at(int rolls) const { return late_from > 0 && rolls > late_from ? late_plies : plies; }
};

// Rolls after which any game ends with the net's probabilities, so that no game runs for ever. A bound: games of the
// engine take some fifty rolls, and one that it ends counts like a truncated one.
inline constexpr int kMaxRollout = 5000;

// Where games start, seen by the player to act, who is about to roll or, where the stakes allow it, to double.
struct RolloutStart {
    Position position;
    int tokens = 0;
    Stakes stakes;
};

// Of one game: probabilities, then its value in the units of Stakes::point_values, for the player to act at its start.
inline constexpr int kRolloutColumns = kMaxProbabilities + 1;
using RolloutGame = std::array<double, kRolloutColumns>;

// The row of the table of rolls that roll `number` (0, 1, ...) of a game shows. Stratified, every pair of first and
// second rolls comes exactly as often as its chance in total_weight^2 games, every first and every second roll in
// total_weight games, counted from game 0.
int rollout_row(const Rules& rules, const RolloutSettings& settings, std::uint64_t game, int number);

// Plays the games of one thread.
class RolloutPlayer {
  public:
    // pruning net: as for Search. Raises std::invalid_argument when a net does not fit the rules.
    RolloutPlayer(const Rules& rules, const Net& net, const Net* pruning_net, const RolloutSettings& settings);
    RolloutPlayer(RolloutPlayer&&) = default;

    // A game that is stopped has no result.
    RolloutGame play(const RolloutStart& start, std::uint64_t game, const Job& job);

  private:
    // A roll as luck measures it: the same function of the row whether it was rolled or not.
    struct Roll {
        std::array<int, kMaxTokenStates> index;
        std::array<bool, kMaxTokenStates> ended;
        std::array<double, kMaxTokenStates> value;  // to the mover
        Values probabilities;
    };
    struct State;

    void weigh(const Stakes& stakes);
    void value_plainly(Search& search) const;
    bool needs_rows(const State& state) const;
    const std::vector<Best>& best_plays(const State& state);
    void evaluate_rows(const State& state);
    void evaluate_row(const State& state, int row, const Best& best, double efficiency, Roll& out);
    void average_rows(const State& state);
    Reroll settle(int tokens, double value, bool ended) const;
    double settled(int tokens, const Roll& rolled, Probabilities& probabilities) const;
    double cube_efficiency(const Stakes& stakes, const Position& position) const;
    bool known(const State& state, RolloutGame& out) const;
    double exact_cube(const Position& position, int tokens, const Stakes& stakes) const;
    bool turn_cube(State& state, RolloutGame& out);
    void choose(const State& state, int row, Candidate& out, double& value);
    Reroll decide_roll(const State& state, double value, bool ended);
    void stop(State& state, RolloutGame& out);
    CubeValues decide(const State& state, int plies, Probabilities& probabilities);
    void choose_with_cube(const State& state, int row, int plies, Candidate& out, double& value);

    const Rules& rules_;
    RolloutSettings settings_;
    Payout payout_;
    std::shared_ptr<const Tables> tables_;  // nullptr: not asked
    Search search_, luck_search_;
    Appraisal appraisal_;
    std::vector<Best> best_;  // of every roll, as the search sees them
    std::unordered_map<Position, std::vector<Best>, PositionHash> early_;  // the same of positions that many games begin with
    bool early_now_ = false;  // the last position was one of them
    std::vector<Roll> rows_;
    std::vector<Candidate> candidates_;
    std::array<double, kMaxTokenStates> mean_ = {};                              // of a roll, by token state: R of rulings 2.7
    std::array<std::array<double, kMaxProbabilities>, kMaxTokenStates> mean_probabilities_ = {};
};

// Plays games first .. first + count - 1 of every start; out is [starts][count], written in any order, done[i] set once
// games i of all starts are there. Stopped, it leaves the rest.
void roll_out(Job& job, const Rules& rules, const Net& net, const Net* pruning_net, const RolloutSettings& settings,
              const std::vector<RolloutStart>& starts, std::uint64_t first, std::size_t count, int threads,
              std::vector<RolloutGame>& out, std::vector<std::uint8_t>& done);

}  // namespace barpoint
