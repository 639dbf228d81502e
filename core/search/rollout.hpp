// Rollouts: a position played out many times by the engine itself, the luck of every roll taken off the result.
//
// A game is a function of the specification and its number alone: any split over threads, processes or machines gives
// the same figures, bit for bit.
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
    int plies = 0;       // looked ahead for a play
    int late_plies = 0;  // the same from roll number late_from on
    int late_from = 0;   // 0: never
    int cube_plies = 0;  // looked ahead for a decision about the cube
    int truncate = 0;    // games end after so many rolls, with the net's figures; 0: never
    bool tables = true;  // end games where exact tables know the rest; without a cube also in races of one side each
    bool reduce = true;  // take the luck of every roll off
    bool stratify = true;
    std::uint64_t seed = 1;
    CubeLife life;
};

// Rolls after which any game ends with the net's figures: what never ends must not run for ever.
inline constexpr int kMaxRollout = 5000;

// Where games start, seen by the player to act, who is about to roll or, where the stakes allow it, to double.
struct RolloutStart {
    Position position;
    int head = 0;
    Stakes stakes;
};

// Of one game: figures, then the worth of the game in the units of Stakes::worth, all for the player to act at its start.
inline constexpr int kRolloutColumns = kMaxFigures + 1;
using RolloutGame = std::array<double, kRolloutColumns>;

// The row of the table of rolls that roll `number` (0, 1, ...) of a game shows. Stratified, every pair of first and
// second rolls comes exactly as often as its chance in total_weight^2 games, every first and every second roll in
// total_weight games, counted from game 0.
int rollout_row(const Rules& rules, const RolloutSettings& settings, std::uint64_t game, int number);

// What one thread plays with.
class RolloutPlayer {
  public:
    // pruner: as for Search. Rolls std::invalid_argument when a net does not fit the rules.
    RolloutPlayer(const Rules& rules, const Net& net, const Net* pruner, const RolloutSettings& settings);
    RolloutPlayer(RolloutPlayer&&) = default;

    // A game that is stopped has no result.
    RolloutGame play(const RolloutStart& start, std::uint64_t game, const Job& job);

  private:
    // What a roll is worth as luck is measured: the same function of the row whether it was rolled or not.
    struct Roll {
        std::array<int, kMaxHeads> index;
        std::array<bool, kMaxHeads> ended;
        std::array<double, kMaxHeads> value;  // to the mover
        Values figures;
    };
    struct State;

    void weigh(const Stakes& stakes);
    bool needs_rows(const State& state) const;
    const std::vector<Best>& best_plays(const State& state);
    void look_at_rows(const State& state);
    void look_at_row(const State& state, int row, const Best& best, double life, Roll& out);
    void average_rows(const State& state);
    Fate settle(int head, double stands, bool ended) const;
    double settled(int head, const Roll& rolled, Figures& figures) const;
    double life(const Stakes& stakes, const Position& position) const;
    bool known(const State& state, RolloutGame& out) const;
    double exact_cube(const Position& position, int head, const Stakes& stakes) const;
    bool turn_cube(State& state, RolloutGame& out);
    void choose(const State& state, int row, Candidate& out, double& value);
    Fate fate(const State& state, double value, bool ended);
    void stop(State& state, RolloutGame& out);
    CubeValues decide(const State& state, int plies, Figures& figures);
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
    std::array<double, kMaxHeads> mean_ = {};                              // of a roll, by head: R of rulings 2.7
    std::array<std::array<double, kMaxFigures>, kMaxHeads> mean_figures_ = {};
};

// Plays games first .. first + count - 1 of every start; out is [starts][count], written in any order, done[i] set once
// games i of all starts are there. Stopped, it leaves the rest.
void roll_out(Job& job, const Rules& rules, const Net& net, const Net* pruner, const RolloutSettings& settings,
              const std::vector<RolloutStart>& starts, std::uint64_t first, std::size_t count, int threads,
              std::vector<RolloutGame>& out, std::vector<std::uint8_t>& done);

}  // namespace barpoint
