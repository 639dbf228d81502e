#include "training/head_to_head.hpp"

#include <optional>

#include "rules/dice.hpp"

namespace barpoint {
namespace {

struct Seat {
    Search search;
    float reluctance;
};

// The luck of rolls: their value beyond the mean of all rolls of the position.
class Luck {
  public:
    Luck(const Rules& rules, const Judge& judge) {
        if (judge.net) search_.emplace(rules, judge.net, Tables::of(rules), judge.pruning_net);
    }

    // In points, to the roller.
    double of(const Position& position, int row, int tokens) {
        if (!search_ || position.us.owed) return 0;
        search_->best_of_rows(position, rows_);
        search_->average(rows_, again_);
        Probabilities rolled;
        search_->settle(tokens, rows_[row], again_, rolled);
        return search_->payout().equity(rolled) - search_->payout().equity(again_[tokens]);
    }

  private:
    std::optional<Search> search_;
    std::vector<Best> rows_;
    Values again_;
};

class Match {
  public:
    Match(const Rules& rules, Seat& first, Seat& second, Luck& luck)
        : rules_(rules), seats_{&first, &second}, luck_(luck), payout_(rules) {}

    // Points won by seat 0, who starts where `starter` is 0.
    double play(Position position, std::uint64_t seed, std::uint64_t game, int starter, int longest) {
        Stream dice(seed, game);
        int turn = starter, tokens = seats_[0]->search.token_states() - 1;
        double luck = 0;  // of seat 0
        for (int number = 0; number < longest; ++number) {
            const bool owed = position.us.owed;
            const int row = next_row(rules_, position, dice);
            Seat& mover = *seats_[turn];
            luck += (turn == 0 ? 1 : -1) * luck_.of(position, row, tokens);
            mover.search.best(position, row, 0, best_);
            if (!owed && roller_rerolls(mover, position, tokens)) {
                tokens = tokens_left(tokens, Reroll::by_roller);
                continue;
            }
            generate(rules_, position, row, buffer_);
            const int index = best_.index[tokens];
            const bool keeps_turn = buffer_.again(index);
            const Position next = buffer_.next(index);
            if (!keeps_turn && !owed && other_rerolls(*seats_[1 - turn], position, next, tokens)) {
                tokens = tokens_left(tokens, Reroll::by_other);
                continue;
            }
            const Outcome end = outcome(rules_, next);
            if (!keeps_turn) {
                turn = 1 - turn;
                tokens = flip_tokens(tokens);
            }
            if (end.over) return (turn == 0 ? 1 : -1) * payout_.equity(payout_.ended(end)) - luck;
            position = next;
        }
        return -luck;
    }

  private:
    // Whether the roller spends its token, by the value of its best play and that of another roll.
    bool roller_rerolls(Seat& seat, const Position& before, int tokens) const {
        if (!roller_may_reroll(rules_.rerolls, tokens)) return false;
        if (!close(seat, before, tokens & ~kOwnToken, best_.equity[tokens], false)) return false;
        Values again;
        seat.search.evaluate(before, 1, again);
        Probabilities probabilities;
        if (seat.search.settle(tokens, best_, again, probabilities) != Reroll::by_roller) return false;
        return seat.search.payout().equity(probabilities) - best_.equity[tokens] >= seat.reluctance;
    }

    // Whether the side that did not roll spends its token, by the value to it of the position after the play.
    bool other_rerolls(Seat& seat, const Position& before, const Position& next, int tokens) const {
        if (!other_may_reroll(rules_.rerolls, tokens, outcome(rules_, next).over)) return false;
        Values kept, rerolled;
        seat.search.evaluate(next, 0, kept);
        const Payout& payout = seat.search.payout();
        const float value = payout.equity(kept[flip_tokens(tokens)]);
        if (!close(seat, before, tokens & ~kTheirToken, value, true)) return false;
        seat.search.evaluate(before, 1, rerolled);
        return payout.equity(payout.flip(rerolled[tokens & ~kTheirToken])) > value + seat.reluctance;
    }

    // Whether the net alone finds another roll nearly as good as this value: only then one ply is searched.
    static bool close(Seat& seat, const Position& before, int tokens, float value, bool flipped) {
        constexpr float kClose = 0.2f;  // points; 0.05 would lose nothing, as kNear in search/rollout.cpp
        Values again;
        seat.search.evaluate(before, 0, again);
        const Payout& payout = seat.search.payout();
        const float rerolled = payout.equity(flipped ? payout.flip(again[tokens]) : again[tokens]);
        return rerolled > value - kClose;
    }

    const Rules& rules_;
    Seat* seats_[2];
    Luck& luck_;
    Payout payout_;
    PlayBuffer buffer_;
    Best best_;
};

}  // namespace

void play_head_to_head(Job& job, const Rules& rules, const Contender& first, const Contender& second, const Judge& judge,
                       const std::vector<Position>& starts, std::uint64_t seed, std::int64_t pairs, int longest,
                       std::vector<double>& out) {
    Seat seat0{Search(*first.rules, first.net, Tables::of(*first.rules)), first.reluctance};
    Seat seat1{Search(*second.rules, second.net, Tables::of(*second.rules)), second.reluctance};
    Luck luck(rules, judge);
    Match match(rules, seat0, seat1, luck);
    for (std::int64_t pair = 0; pair < pairs && !job.stopped(); ++pair) {
        const auto game = static_cast<std::uint64_t>(pair);
        const Position start = starts.empty() ? rules.start_position() : starts[game % starts.size()];
        out.push_back((match.play(start, seed, game, 0, longest) + match.play(start, seed, game, 1, longest)) / 2);
        job.done = pair + 1;
    }
}

}  // namespace barpoint
