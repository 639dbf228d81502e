#include "training/head_to_head.hpp"

#include <optional>

#include "rules/dice.hpp"

namespace barpoint {
namespace {

struct Seat {
    Search search;
    float reluctance;
};

// What rolls are worth beyond the mean of all rolls of their position.
class Luck {
  public:
    Luck(const Rules& rules, const Judge& judge) {
        if (judge.net) search_.emplace(rules, judge.net, Tables::of(rules), judge.pruner);
    }

    // In points, to the roller.
    double of(const Position& position, int row, int head) {
        if (!search_) return 0;
        search_->best_of_rows(position, rows_);
        search_->average(rows_, again_);
        Figures rolled;
        search_->settle(head, rows_[row], again_, rolled);
        return search_->payout().equity(rolled) - search_->payout().equity(again_[head]);
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
    double play(std::uint64_t seed, std::uint64_t game, int starter, int longest) {
        Stream dice(seed, game);
        Position position = rules_.start_position();
        int turn = starter, head = seats_[0]->search.heads() - 1;
        double luck = 0;  // of seat 0
        for (int number = 0; number < longest; ++number) {
            const int row = random_row(rules_, dice);
            Seat& mover = *seats_[turn];
            luck += (turn == 0 ? 1 : -1) * luck_.of(position, row, head);
            mover.search.best(position, row, 0, best_);
            if (head & 1 && calls_own(mover, position, head)) {
                head &= ~1;
                continue;
            }
            generate(rules_, position, row, buffer_);
            const int index = best_.index[head];
            const bool keeps_turn = buffer_.again(index);
            const Position next = buffer_.next(index);
            if (head & 2 && !keeps_turn && calls_other(*seats_[1 - turn], position, next, head)) {
                head &= ~2;
                continue;
            }
            const Outcome end = outcome(rules_, next);
            if (!keeps_turn) {
                turn = 1 - turn;
                head = other_head(head);
            }
            if (end.over) return (turn == 0 ? 1 : -1) * payout_.equity(payout_.ended(end)) - luck;
            position = next;
        }
        return -luck;
    }

  private:
    // The roller: what his best play is worth, against another roll.
    bool calls_own(Seat& seat, const Position& before, int head) const {
        if (!rules_.rerolls.own || !near(seat, before, head & ~1, best_.equity[head], false)) return false;
        Values again;
        seat.search.evaluate(before, 1, again);
        Figures figures;
        if (seat.search.settle(head, best_, again, figures) != Fate::own_call) return false;
        return seat.search.payout().equity(figures) - best_.equity[head] >= seat.reluctance;
    }

    // The side that did not roll: what the position after the play is worth to it, against another roll.
    bool calls_other(Seat& seat, const Position& before, const Position& next, int head) const {
        if (!rules_.rerolls.other) return false;
        if (outcome(rules_, next).over && !rules_.rerolls.final_roll_cancellable) return false;
        Values kept, rolled;
        seat.search.evaluate(next, 0, kept);
        const Payout& payout = seat.search.payout();
        const float stands = payout.equity(kept[other_head(head)]);
        if (!near(seat, before, head & ~2, stands, true)) return false;
        seat.search.evaluate(before, 1, rolled);
        return payout.equity(payout.flip(rolled[head & ~2])) > stands + seat.reluctance;
    }

    // Whether the net alone finds another roll nearly as good: only then is it looked at one roll ahead.
    static bool near(Seat& seat, const Position& before, int head, float stands, bool flipped) {
        Values again;
        seat.search.evaluate(before, 0, again);
        const Payout& payout = seat.search.payout();
        const float called = payout.equity(flipped ? payout.flip(again[head]) : again[head]);
        return called > stands - 0.2f;
    }

    const Rules& rules_;
    Seat* seats_[2];
    Luck& luck_;
    Payout payout_;
    PlayBuffer buffer_;
    Best best_;
};

}  // namespace

void duel(Job& job, const Rules& rules, const Duellist& first, const Duellist& second, const Judge& judge, std::uint64_t seed,
          std::int64_t pairs, int longest, std::vector<double>& out) {
    Seat seat0{Search(*first.rules, first.net, Tables::of(*first.rules)), first.reluctance};
    Seat seat1{Search(*second.rules, second.net, Tables::of(*second.rules)), second.reluctance};
    Luck luck(rules, judge);
    Match match(rules, seat0, seat1, luck);
    for (std::int64_t pair = 0; pair < pairs && !job.stopped(); ++pair) {
        const auto game = static_cast<std::uint64_t>(pair);
        out.push_back((match.play(seed, game, 0, longest) + match.play(seed, game, 1, longest)) / 2);
        job.done = pair + 1;
    }
}

}  // namespace barpoint
