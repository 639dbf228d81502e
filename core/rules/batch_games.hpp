// Many games of one kind in step with each other: each roll of all games is made, played by whoever chooses, and followed up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/batch.hpp"
#include "rules/plays.hpp"
#include "rules/rules.hpp"

namespace barpoint {

// How a game ended. Player 0 made the first play.
struct GameResult {
    std::int8_t winner = -1;  // player, or -1: drawn, or not finished after the most rolls
    std::int8_t level = 0;    // as in Outcome
    std::int16_t points = 0;  // for the winner
    std::int32_t rolls = 0;   // of both players, rerolled ones included
    bool finished = false;
};

// A game in progress, before or after a roll. Rolls are a function of the seed and the number of the game alone.
struct GameInPlay {
    Position position;  // before the roll, seen by the player to act
    std::uint64_t game = 0, drawn = 0;
    std::int32_t rolls = 0;
    int row = -1;
    std::array<std::int8_t, 2> tokens = {};  // of the player to act and of the other
    std::int8_t player = 0;
    bool opening = false;  // the roll is the one that decided who begins
};

class BatchGames {
  public:
    // games: to be played in all; size: at a time. max_rolls: of a game. Throws std::invalid_argument where an opening roll leads to
    // no roll of the dice.
    BatchGames(const Rules& rules, std::uint64_t seed, std::size_t games, std::size_t size, std::int32_t max_rolls);

    // Begins new games and rolls for all in progress; false when none is left.
    bool roll();
    const std::vector<GameInPlay>& in_play() const { return in_play_; }
    bool may_reroll(const GameInPlay& game) const;
    // The other side may have the roll rerolled after this play.
    bool other_may_reroll(const GameInPlay& game, const Position& result, bool again) const;

    // What is done with a roll. result: seen by the mover, one of its plays; nullptr: the roller rerolls.
    struct Chosen {
        const Position* result;
        bool again;
    };
    // Follows up the rolls of the games in play; the caller has checked the choices. called: [n] the other side rerolls; may be null.
    void follow(const std::vector<Chosen>& chosen, const std::uint8_t* called);

    // Plays up to `count` games with random plays, each equally likely, and without rerolls; false when none is left.
    bool play_randomly(std::size_t count);

    const std::vector<GameResult>& results() const { return results_; }

  private:
    void begin(GameInPlay& game);
    int opening_row(int high, int low) const;  // of the roll that begins a game; -1 when there is none
    void roll_one(GameInPlay& game);
    std::uint32_t draw(GameInPlay& game, std::uint32_t limit);
    bool advance(GameInPlay& game, const Position& result, bool again);

    Rules rules_;
    std::uint64_t seed_;
    std::size_t size_;
    std::int32_t max_rolls_;
    int sides_ = 2;  // of the dice; with fewer nobody would ever begin
    std::uint64_t next_ = 0;
    std::vector<GameInPlay> in_play_;
    std::vector<GameResult> results_;
};

}  // namespace barpoint
