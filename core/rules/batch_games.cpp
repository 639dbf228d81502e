#include "rules/batch_games.hpp"

#include <algorithm>
#include <stdexcept>

#include "rng.hpp"
#include "rules/dice.hpp"

namespace barpoint {

BatchGames::BatchGames(const Rules& rules, std::uint64_t seed, std::size_t games, std::size_t size, std::int32_t max_rolls)
    : rules_(rules), seed_(seed), size_(size), max_rolls_(max_rolls), results_(games) {
    for (const Row& row : rules_.rows) sides_ = std::max(sides_, row.faces[0]);
    if (rules_.first_roll != FirstRoll::again)
        for (int high = 2; high <= sides_; ++high)
            for (int low = 1; low < high; ++low)
                if (opening_row(high, low) < 0)
                    throw std::invalid_argument("the opening roll " + std::to_string(high) + "-" + std::to_string(low) +
                                                " leads to no roll of these dice");
    in_play_.reserve(std::min(size, games));
}

int BatchGames::opening_row(int high, int low) const {
    return row_index(rules_, rules_.first_roll == FirstRoll::own_number ? std::vector<int>{high} : std::vector<int>{high, low});
}

std::uint32_t BatchGames::draw(GameInPlay& game, std::uint32_t limit) {
    return random_below(random_bits(seed_, game.game, game.drawn++), limit);
}

// Each player rolls a die until they differ. Player 0 is the one who begins, so only what is played first matters.
void BatchGames::begin(GameInPlay& game) {
    game = {};
    game.position = rules_.start_position();
    game.game = next_++;
    game.tokens.fill(static_cast<std::int8_t>(rules_.rerolls.tokens));
    if (rules_.first_roll == FirstRoll::again) return;
    int high = 0, low = 0;
    while (high == low) {
        high = 1 + static_cast<int>(draw(game, static_cast<std::uint32_t>(sides_)));
        low = 1 + static_cast<int>(draw(game, static_cast<std::uint32_t>(sides_)));
    }
    game.row = opening_row(std::max(high, low), std::min(high, low));
    game.opening = true;
}

void BatchGames::roll_one(GameInPlay& game) {
    if (game.position.us.owed) {
        game.row = owed_row(game.position);
        return;
    }
    if (!game.opening) game.row = row_of(rules_, static_cast<int>(draw(game, static_cast<std::uint32_t>(rules_.total_weight))));
    ++game.rolls;
}

bool BatchGames::roll() {
    while (in_play_.size() < size_ && next_ < results_.size()) begin(in_play_.emplace_back());
    for (GameInPlay& game : in_play_) roll_one(game);
    return !in_play_.empty();
}

bool BatchGames::may_reroll(const GameInPlay& game) const {
    const Rerolls& rerolls = rules_.rerolls;
    return rerolls.own && !game.position.us.owed && game.tokens[0] > 0 && (!game.opening || rerolls.opening_cancellable);
}

bool BatchGames::other_may_reroll(const GameInPlay& game, const Position& result, bool again) const {
    const Rerolls& rerolls = rules_.rerolls;
    if (!rerolls.other || game.position.us.owed || game.tokens[1] <= 0 || (game.opening && !rerolls.opening_cancellable)) return false;
    return rerolls.final_roll_cancellable || !outcome(rules_, again ? result : result.flip()).over;
}

// True when the game is over.
bool BatchGames::advance(GameInPlay& game, const Position& result, bool again) {
    game.opening = false;
    game.position = again ? result : result.flip();
    if (!again) {
        game.player ^= 1;
        std::swap(game.tokens[0], game.tokens[1]);
    }
    const Outcome end = outcome(rules_, game.position);
    if (!end.over && game.rolls < max_rolls_) return false;
    GameResult& out = results_[game.game];
    out.finished = end.over;
    out.rolls = game.rolls;
    if (end.over && end.winner) {
        out.winner = end.winner > 0 ? game.player : static_cast<std::int8_t>(1 - game.player);
        out.level = static_cast<std::int8_t>(end.level);
        out.points = static_cast<std::int16_t>(end.points);
    }
    return true;
}

void BatchGames::follow(const std::vector<Chosen>& chosen, const std::uint8_t* called) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < in_play_.size(); ++i) {
        GameInPlay& game = in_play_[i];
        bool over = false;
        if (!chosen[i].result || (called && called[i])) {
            --game.tokens[chosen[i].result ? 1 : 0];
            game.opening = false;
        } else {
            over = advance(game, *chosen[i].result, chosen[i].again);
        }
        if (!over) in_play_[kept++] = game;
    }
    in_play_.resize(kept);
}

bool BatchGames::play_randomly(std::size_t count) {
    PlayBuffer plays;
    for (; count > 0 && next_ < results_.size(); --count) {
        GameInPlay game;
        begin(game);
        for (bool over = false; !over;) {
            roll_one(game);
            generate(rules_, game.position, game.row, plays);
            const std::size_t chosen = draw(game, static_cast<std::uint32_t>(plays.size()));
            over = advance(game, plays.result(chosen), plays.again(chosen));
        }
    }
    return next_ < results_.size();
}

}  // namespace barpoint
