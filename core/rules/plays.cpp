#include "rules/plays.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "rules/dice.hpp"
#include "rules/stage.hpp"
#include "rules/step.hpp"

namespace barpoint {

// ---------------------------------------------------------------- ResultSet

void ResultSet::grow() {
    const std::size_t room = positions_.empty() ? 256 : 2 * positions_.size();
    positions_.resize(room);
    flags_.resize(room);
}

void ResultSet::truncate(std::size_t count) {
    count_ = count;
    indexed_ = 0;
}

std::size_t ResultSet::find_slot(const Position& position, bool flag) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash(position) & mask;
    for (; slots_[slot]; slot = (slot + 1) & mask) {
        const std::size_t other = slots_[slot] - 1;
        if (flags_[other] == flag && positions_[other] == position) break;
    }
    return slot;
}

void ResultSet::index_up_to(std::size_t count) {
    if (slots_.size() < 2 * count + 2) {
        slots_.assign(std::max<std::size_t>(512, 4 * slots_.size()), 0);
        while (slots_.size() < 2 * count + 2) slots_.resize(2 * slots_.size(), 0);
        indexed_ = 0;
    } else if (indexed_ == 0) {
        std::fill(slots_.begin(), slots_.end(), 0);
    }
    for (; indexed_ < count; ++indexed_)
        slots_[find_slot(positions_[indexed_], flags_[indexed_])] = static_cast<std::uint32_t>(indexed_ + 1);
}

void ResultSet::insert(bool flag) {
    flags_[count_] = flag;
    index_up_to(count_);
    if (slots_.empty()) index_up_to(1);
    const std::size_t slot = find_slot(positions_[count_], flag);
    if (slots_[slot]) return;
    slots_[slot] = static_cast<std::uint32_t>(++count_);
    indexed_ = count_;
}

// ---------------------------------------------------------------- one stage, where steps commute

namespace {

constexpr int kComplete = std::numeric_limits<int>::max();

// Plays of one stage from one position, into a ResultSet. Its flag says "complete, and the game goes on" where another stage comes
// next, and in the last stage that the same side acts once more, as `follow_up` says.
// Steps with one number commute (rulings 6.2, I1), so equal numbers are played from the highest source downwards, which
// reaches every result once; of two different numbers a result is named by the pair of sources, whatever the order. Of any other
// numbers, moves in any order are tried except where two that follow each other were tried the other way round and end the same.
class FastStage {
  public:
    FastStage(const Rules& rules, const Position& position, const FollowUp* follow_up, ResultSet& out)
        : rules_(rules), work_(position), follow_up_(follow_up), out_(out) {
        held_ = occupied(work_.us);
        closed_ = closed_points(rules, position);
        const Points theirs = singles(position.them);
        blots_ = across(rules.meeting, theirs) & ~closed_;
        pinned_ = work_.us.pinned;
        // A single checker may end the game with the first of two numbers; bar and hand enter on the same point.
        mixed_ = work_.us.points[kOff] + 1 == rules.checkers || (work_.us.points[kBar] && work_.us.hand);
    }

    void play(const Stage& stage) {
        for (const Option& option : stage) {
            if (rules_.obligation == Obligation::per_option) best_ = -1, mark_ = out_.size();
            distinct_ = out_.size() == 0;
            again_ = !follow_up_ || follow_up_->again(option);
            owed_ = follow_up_ ? follow_up_->owed(option) : 0;
            const bool equal = option.numbers[0] == option.numbers[option.count - 1];
            if (mixed_ || (option.count > 2 && !equal))
                play_mixed(work_, held_, numbers_of(option), 0, {});
            else if (equal)
                play_equal(option, 0, ~Points{0});
            else
                play_two(option.numbers[0], option.numbers[1]);
        }
    }

  private:
    // Moves by source, for each number.
    struct Moves {
        Points of[7] = {};
    };

    // Results of this rank are wanted: as StageNode has it, kComplete at the top.
    bool wants(int rank) {
        if (rank == best_) return true;
        if (rank < best_) return false;
        if (out_.size() != mark_) {
            out_.truncate(mark_);
            distinct_ = mark_ == 0;
        }
        best_ = rank;
        return true;
    }

    void keep(int rank, const Position& result) {
        if (!wants(rank)) return;
        out_.next() = result;
        keep_written(rank);
    }

    void keep_written(int rank) {
        const bool flag = again_ && rank == kComplete && out_.next().us.points[kOff] != rules_.checkers;
        if (flag) out_.next().us.owed = owed_;
        if (distinct_)
            out_.push(flag);
        else
            out_.insert(flag);
    }

    Points sources_of(int number, Points held) const {
        return free_sources(rules_, closed_, held, held & ~pinned_, number);
    }

    static std::uint8_t* counts(Position& position) { return reinterpret_cast<std::uint8_t*>(&position.us); }

    // Places that the side to act holds after a move.
    static Points held_after(const Position& position, Points held, int source, int number) {
        const int target = destination(source, number);
        if (reinterpret_cast<const std::uint8_t*>(&position.us)[source] == 1) held &= ~bit(source);
        return target ? held | bit(target) : held;
    }

    void play_equal(const Option& option, int depth, Points limit) {
        const int number = option.numbers[0];
        Points left = sources_of(number, held_);
        if (!left) {
            keep(depth * rank_of(rules_, number), work_);
            return;
        }
        left &= limit;
        const Points held = held_;
        const Side them = work_.them;
        while (left) {
            const int source = highest(left);
            left &= ~bit(source);
            const int target = destination(source, number);
            held_ = held_after(work_, held, source, number);
            make_step(rules_, work_, source, number);
            if (depth + 1 == option.count || work_.us.points[kOff] == rules_.checkers)
                keep(kComplete, work_);
            else
                // The bar (25) comes before the hand (26) and the hand before the points.
                play_equal(option, depth + 1, source == kBar ? ~Points{0} : source == kHand ? ~bit(kBar) : (bit(source) << 1) - 1);
            ++counts(work_)[source];
            --counts(work_)[target];
            work_.them = them;
        }
        held_ = held;
    }

    void play_two(int high, int low) {
        const Points high_first = sources_of(high, held_);
        const Points low_first = sources_of(low, held_);
        Points low_after[27];  // sources of the low number after the high one has moved this source
        bool any = false;
        for (Points left = high_first; left;) {
            const int source = highest(left);
            left &= ~bit(source);
            const Points second = sources_of(low, held_after(work_, held_, source, high));
            low_after[source] = second;
            for (Points lows = second; lows;) {
                const int other = highest(lows);
                lows &= ~bit(other);
                any = true;
                keep_pair(source, other, high, low, high_first, low_after);
            }
        }
        for (Points left = low_first; left;) {
            const int source = highest(left);
            left &= ~bit(source);
            for (Points highs = sources_of(high, held_after(work_, held_, source, low)); highs;) {
                const int other = highest(highs);
                highs &= ~bit(other);
                any = true;
                const bool made = (high_first & bit(other)) && (low_after[other] & bit(source));
                if (!made) keep_pair(other, source, high, low, high_first, low_after);
            }
        }
        if (any) return;
        const int single = high_first ? high : low, rank = rank_of(rules_, single);
        const Points first = high_first ? high_first : low_first;
        if (!first) keep(0, work_);
        for (Points left = first; left;) {
            const int source = highest(left);
            left &= ~bit(source);
            if (!wants(rank)) return;
            Position& result = out_.next();
            result = work_;
            make_step(rules_, result, source, single);
            keep_written(rank);
        }
    }

    // The numbers left, as StageNode::used has them, in every order from a position on. tried: moves that were tried before those that
    // led here, and would now end the same as when they are made first; so every last position of the stage is still reached.
    void play_mixed(const Position& position, Points held, std::uint32_t left, int rank, const Moves& tried) {
        if (!left || position.us.points[kOff] == rules_.checkers) return keep_mixed(kComplete, position);
        Moves may, before = tried;
        bool any = false;
        for (int number = 1; number <= 6; ++number)
            if (has(left, number)) any |= (may.of[number] = sources_of(number, held)) != 0;
        if (!any) return keep_mixed(rank, position);
        for (int number = 6; number >= 1; --number) {
            for (Points rest = may.of[number] & ~tried.of[number]; rest;) {
                const int source = highest(rest);
                rest &= ~bit(source);
                Position next = position;
                const Points held_next = held_after(position, held, source, number);
                make_step(rules_, next, source, number);
                play_mixed(next, held_next, left - one(number), rank + rank_of(rules_, number),
                           either_way(position, held, source, number, left - one(number), before, held_next));
                before.of[number] |= bit(source);
            }
        }
    }

    // Those of the moves that can be made before a move as well as after it, when these numbers are left. held_next: after the move.
    Moves either_way(const Position& position, Points held, int source, int number, std::uint32_t left, const Moves& moves,
                     Points held_next) const {
        Moves found;
        for (int other = 1; other <= 6; ++other) {
            if (!has(left, other) || !moves.of[other]) continue;
            for (Points after = moves.of[other] & sources_of(other, held_next); after; after &= after - 1) {
                const int first = std::countr_zero(after);
                if (sources_of(number, held_after(position, held, first, other)) & bit(source)) found.of[other] |= bit(first);
            }
        }
        return found;
    }

    void keep_mixed(int rank, const Position& result) {
        if (!wants(rank)) return;
        distinct_ = false;
        out_.next() = result;
        keep_written(rank);
    }

    // The play that moves one checker from `source` by the high number and one from `other` by the low one.
    void keep_pair(int source, int other, int high, int low, Points high_first, const Points* low_after) {
        const int from = other == kHand ? kBar : other;
        if (from > low && source == from - low) {
            // One checker by low, then high. High, then low ends the same unless the points between differ in a hit.
            const Points between = bit(from - low) | (from > high ? bit(from - high) : 0);
            const bool other_way = from > high && (high_first & bit(other)) && (low_after[other] & bit(from - high));
            if (other_way && (rules_.capture != Capture::hit || !(blots_ & between))) return;
        } else if (other <= low && source < other && (high_first & bit(other)) && (low_after[other] & bit(source))) {
            return;  // both are borne off, and either may take either number
        }
        if (!wants(kComplete)) return;
        Position& result = out_.next();
        result = work_;
        // In the order in which the second source is certain to hold a checker.
        const bool high_moves_first = source > other || source == kBar || destination(other, low) != source;
        if (high_moves_first) {
            make_step(rules_, result, source, high);
            make_step(rules_, result, other, low);
        } else {
            make_step(rules_, result, other, low);
            make_step(rules_, result, source, high);
        }
        keep_written(kComplete);
    }

    const Rules& rules_;
    Position work_;
    const FollowUp* follow_up_;
    ResultSet& out_;
    Points held_, closed_, blots_, pinned_;
    int best_ = -1;
    std::size_t mark_ = 0;
    bool distinct_ = true;
    bool mixed_ = false;  // numbers of any kind are played as mixed ones
    bool again_ = false;  // after a complete play of this option
    std::uint8_t owed_ = 0;
};

bool is_fast(const Rules& rules, const Position& position, const RollLimits& limits) {
    if (rules.judges_every_move || rules.leave || limits.staying) return false;
    // The first move home may open points to the second.
    if (!may_hit(rules, position.us) && singles(position.them)) return false;
    // A single move may end the game by a pin.
    return !rules.start_pin_loses || position.them.points[rules.start_point] != 1;
}

void play_stage(const Rules& rules, const Position& position, const Stage& stage, const RollLimits& limits, const FollowUp* follow_up,
                StageGraph& graph, ResultSet& out) {
    out.truncate(0);
    if (is_fast(rules, position, limits)) {
        FastStage(rules, position, follow_up, out).play(stage);
        return;
    }
    graph.explore(rules, position, stage, limits);
    for (const StageNode& node : graph.nodes())
        if (node.may_stop) {
            out.next() = node.position;
            out.insert(follow_up ? acts_again(*follow_up, stage, node, out.next()) : node.goes_on());
        }
}

}  // namespace

// ---------------------------------------------------------------- all stages of a roll

PlayBuffer::PlayBuffer() : graph_(std::make_unique<StageGraph>()) {}
PlayBuffer::~PlayBuffer() = default;
PlayBuffer::PlayBuffer(PlayBuffer&&) noexcept = default;

void generate(const Rules& rules, const Position& position, int row, PlayBuffer& out) {
    const Row& roll_row = rules.rows[row];
    const auto stages = roll_row.stages.size();
    const FollowUp after(rules, roll_row, position);
    const auto follow_up = [&](std::size_t stage) { return stage + 1 == stages ? &after : nullptr; };
    const RollLimits limits = limits_of(rules, position, roll_row);
    play_stage(rules, taken(position), roll_row.stages[0], limits, follow_up(0), *out.graph_, out.results_);
    for (std::size_t stage = 1; stage < stages; ++stage) {
        std::swap(out.starts_, out.results_);
        out.results_.truncate(0);
        for (std::size_t i = 0; i < out.starts_.size(); ++i) {
            const Position& start = out.starts_.position(i);
            if (!out.starts_.flag(i)) {
                out.results_.insert(start, false);
                continue;
            }
            play_stage(rules, start, roll_row.stages[stage], limits, follow_up(stage), *out.graph_, out.one_start_);
            for (std::size_t k = 0; k < out.one_start_.size(); ++k)
                out.results_.insert(out.one_start_.position(k), out.one_start_.flag(k));
        }
    }
}

}  // namespace barpoint
