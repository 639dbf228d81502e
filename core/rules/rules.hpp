// The axes of a game as plain values, as src/barpoint/rules/axes.py has them. That file explains each field.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "rules/position.hpp"

namespace barpoint {

enum class Obligation : std::uint8_t { global, per_option, most_numbers };
enum class Meeting : std::uint8_t { opposite, far_corner, same };
enum class Capture : std::uint8_t { hit, pin, none };
enum class BearOff : std::uint8_t { highest, exact };
enum class Prime : std::uint8_t { free, never_before_all, enemy_ahead };
enum class Winner : std::uint8_t { first_off, last_off };
enum class FirstRoll : std::uint8_t { opening_roll, own_number, again };

inline constexpr int kMaxNumbers = 4;  // in one option
inline constexpr int kMaxStages = 8;   // in one row
inline constexpr int kMaxRows = 63;    // that a side can owe
inline constexpr int kMaxPlainRolls = 3;

// The numbers of one way to use a roll, highest first.
struct Option {
    std::uint8_t count = 0;
    std::array<std::uint8_t, kMaxNumbers> numbers = {};
    int next = -1;  // in a last stage: the row that is then played without rolling it, once the side has no plain rolls left
};

using Stage = std::vector<Option>;  // alternatives of which one is played

// One row of the table of rolls.
struct Row {
    std::vector<int> faces;  // highest first
    int weight = 0;          // chances out of Rules::total_weight
    std::vector<Stage> stages;
    bool again = false;  // another roll when all stages were played completely and no row follows

    // This row may follow; some row may; the same side may act once more.
    bool leads_to(int row) const {
        return std::any_of(stages.back().begin(), stages.back().end(), [row](const Option& option) { return option.next == row; });
    }
    bool has_next() const {
        return std::any_of(stages.back().begin(), stages.back().end(), [](const Option& option) { return option.next >= 0; });
    }
    bool followed() const { return again || has_next(); }
};

struct QuarterLimit {
    int low = 0, high = 0, most = 0;  // at most `most` of own points low..high may be held
};

struct Rerolls {
    int tokens = 0;
    bool own = false;
    bool other = false;
    bool early_call = true;
    bool opening_cancellable = true;
    bool double_after_cancel = false;
    bool final_roll_cancellable = true;
};

struct Rules {
    std::string name = "backgammon";
    Side start;  // both sides alike, with the plain rolls they have
    FirstRoll first_roll = FirstRoll::opening_roll;
    std::vector<Row> rows;
    bool follow_once = false;  // a row that follows is itself followed by no row
    Obligation obligation = Obligation::global;
    Meeting meeting = Meeting::opposite;
    int block = 2;
    Capture capture = Capture::hit;
    BearOff bear_off = BearOff::highest;
    int runner = 0;
    std::vector<QuarterLimit> quarter_limits;
    Prime prime = Prime::free;
    bool hit_and_run = true;
    bool hit_before_home = true;
    int leave = 0;
    std::vector<int> leave_two;
    int lowest_while_entering = 0;
    Winner winner = Winner::first_off;
    bool start_pin_loses = false;
    bool standstill_draws = false;
    int gammon = 2;
    int backgammon = 3;
    bool per_checker = false;
    Rerolls rerolls;
    bool cube = true;

    // What follows from the axes; filled by derive().
    int checkers = 0;                          // of each side
    int start_point = 0;                       // rearmost own point of the start, 25 when all begin in the hand
    int total_weight = 0;                      // of all rows
    std::array<std::uint8_t, 26> meets = {};   // own point 1..24 -> the other side's number of it
    bool judges_every_move = false;            // some rule looks at the position after every single move
    bool has_next = false;                     // some roll is followed by one that is not rolled

    // Call once after setting the axes; rolls std::invalid_argument on values no generator could follow.
    void derive();

    Position start_position() const { return {start, start}; }
};

// The row that shows these faces, highest first; -1 when there is none.
int row_index(const Rules& rules, const std::vector<int>& faces);

// An ended game. Level 1 single, 2 gammon, 3 backgammon; points with the cube at 1 (per checker where rules say so).
struct Outcome {
    bool over = false;
    int winner = 0;  // +1 us, -1 them, 0 drawn
    int level = 0;
    int points = 0;
};

// Whether the game is over in this position, seen by the side that would act next.
Outcome outcome(const Rules& rules, const Position& position);

// Whether these rules allow a position.
bool is_allowed(const Rules& rules, const Position& position);

// What these rules do not allow about a position, in words; empty when it is allowed.
std::string complaint(const Rules& rules, const Position& position);

}  // namespace barpoint
