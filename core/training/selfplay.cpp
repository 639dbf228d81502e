#include "training/selfplay.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "rules/dice.hpp"

namespace barpoint {
namespace {

constexpr int kRollerRerolled = -1;  // as an action: the roller rerolls; any other action is the index of a play
constexpr int kOtherRerolled = -2;  // the other side rerolls

// One roll of a game, for each token state: the value of its position, the change by the roll, and the action that was
// or would have been taken.
struct Step {
    Position position;
    Values value = {};
    Values surprise = {};
    std::array<int, kMaxTokenStates> action = {};
    int made = 0;  // the action that was taken
    int tokens = 0;  // the token state of the game
    bool again = false;
    std::vector<Sample> siblings = {};  // what other plays of the roll lead to
};

// Games from rare positions that are played for money although the net knows whose gammons count; the others in any such state.
constexpr double kMoneyShare = 0.5;
constexpr int kRollBits = 12;  // of a roll's number in its game; the others are the game's

class Game {
  public:
    Game(const Rules& rules, Search& search, const SelfPlay& settings, Stream stream, std::uint64_t number)
        : rules_(rules),
          search_(search),
          settings_(settings),
          first_roll_(static_cast<std::int64_t>(number) << kRollBits),
          stream_(stream) {}

    // Outcome targets: later surprises count in full, so nothing is explored, which would end what counts. What other
    // plays lead to has no outcome. Outcomes are those of the best plays, which the pruning net must not hide, and of the token state
    // that is played: in another one, the game would have gone on otherwise.
    void count_outcomes() {
        outcomes_ = true;
        lambda_ = 1;
        exploration_ = 0;
        siblings_ = {0, 0};
    }

    // money: whether gammons of both sides count, even if the net knows of other games.
    void play(std::vector<Sample>& out, const Position& start, bool money) {
        position_ = start;
        tokens_ = search_.token_states() - 1;
        if (tokens_ && rules_.rerolls.tokens == 0 && !money) tokens_ = static_cast<int>(stream_.below(kMaxTokenStates));
        const int wild = stream_.unit() < settings_.scatter ? 1 + static_cast<int>(stream_.below(12)) : 0;
        for (int number = 0; number < settings_.longest && !over_; ++number) {
            if (number < wild) {
                wander();
            } else {
                roll_once();
            }
        }
        collect(out);
    }

  private:
    void advance(const Position& result, bool again) {
        position_ = again ? result : result.flip();
        if (!again) tokens_ = flip_tokens(tokens_);
        over_ = outcome(rules_, position_).over;
    }

    void wander() {
        generate(rules_, position_, next_row(rules_, position_, stream_), buffer_);
        const std::size_t chosen = stream_.below(static_cast<std::uint32_t>(buffer_.size()));
        advance(buffer_.result(chosen), buffer_.again(chosen));
    }

    void roll_once() {
        Step step;
        step.position = position_;
        step.tokens = tokens_;
        search_.evaluate(position_, 0, step.value);
        const int row = next_row(rules_, position_, stream_);
        const bool owed = position_.us.owed;
        Values again = step.value, probabilities = {};
        if (settings_.lookahead) {
            search_.best_of_rows(position_, rows_);
            search_.average(rows_, again);
        }
        Values change = {};
        if (!owed) second_ply(position_, again, change);
        further_.clear();
        const bool pruned = settings_.lookahead && !outcomes_;
        if (pruned) best_ = rows_[owed ? 0 : row];
        else search_.best_of_all(position_, row, best_);
        for (int tokens = 0; tokens < search_.token_states(); ++tokens) {
            const Reroll reroll = owed ? Reroll::none : search_.settle(tokens, best_, again, probabilities[tokens]);
            if (owed) probabilities[tokens] = best_.values[tokens];
            step.action[tokens] = reroll == Reroll::none        ? best_.index[tokens]
                                : reroll == Reroll::by_roller ? kRollerRerolled
                                                              : kOtherRerolled;
            const Probabilities& reached = settings_.lookahead ? again[tokens] : probabilities[tokens];
            for (int i = 0; i < kMaxProbabilities; ++i) step.surprise[tokens][i] = reached[i] - step.value[tokens][i] + change[tokens][i];
            if (pruned || !settings_.lookahead) continue;
            Probabilities expected;  // of this roll, by the plays that the mean of all rolls counts
            if (owed) expected = rows_[0].values[tokens];
            else search_.settle(tokens, rows_[row], again, expected);
            for (int i = 0; i < kMaxProbabilities; ++i) step.surprise[tokens][i] += probabilities[tokens][i] - expected[i];
        }
        step.made = step.action[tokens_];
        if (exploration_ > 0 && stream_.unit() < exploration_) step.made = another(row, step.made);
        if (siblings_.most && step.made >= 0) label_siblings(row, step);
        generate(rules_, position_, row, buffer_);
        if (step.made == kRollerRerolled) {
            tokens_ = tokens_left(tokens_, Reroll::by_roller);
        } else if (step.made == kOtherRerolled) {
            tokens_ = tokens_left(tokens_, Reroll::by_other);
        } else {
            step.again = buffer_.again(step.made);
            advance(buffer_.result(step.made), step.again);
        }
        steps_.push_back(step);
    }

    // 1-ply values of plays nearly as good as the best, the one made excepted.
    void label_siblings(int row, Step& step) {
        each_nearly_best(row, siblings_, [&](const Candidate& candidate) {
            if (candidate.index == step.made || candidate.again || candidate.ended) return;
            Sample sibling;
            sibling.position = candidate.result.flip();
            search_.best_of_rows(sibling.position, rows_);
            search_.average(rows_, sibling.target);
            Values change = {};
            second_ply(sibling.position, sibling.target, change);
            for (std::size_t state = 0; state < change.size(); ++state) {
                for (int i = 0; i < kMaxProbabilities; ++i) sibling.target[state][i] += change[state][i];
            }
            step.siblings.push_back(sibling);
        });
    }

    // What a second ply changes in 1-ply values, by some rolls. The position after a play and its siblings have the same ones, so that luck does
    // not decide between plays. Outcome targets look further by themselves.
    void second_ply(const Position& position, const Values& rolling, Values& change) {
        if (!settings_.second_ply || outcomes_) return;
        if (further_.empty()) random_rows(rules_, stream_, settings_.second_ply, further_);
        search_.second_ply(position, further_, rolling, change);
    }

    // Exploration: a play nearly as good as the best, so that positions are seen that the net underrates.
    int another(int row, int best) {
        // Chosen without measurement: each other value takes a round of labels and a fit.
        static constexpr Filter kNearly = {5, 0.15f};
        std::vector<int> others;
        each_nearly_best(row, kNearly, [&](const Candidate& candidate) { others.push_back(candidate.index); });
        std::erase(others, best);
        return others.empty() ? best : others[stream_.below(static_cast<std::uint32_t>(others.size()))];
    }

    // Calls work(candidate) for the plays of the roll that pass the filter by the net alone.
    template <class Work>
    void each_nearly_best(int row, const Filter& filter, Work&& work) {
        search_.candidates(position_, row, 0, candidates_);
        order_.resize(candidates_.size());
        std::iota(order_.begin(), order_.end(), 0u);
        for_best(order_, filter, [&](std::uint32_t i) { return search_.equity_of(tokens_, candidates_[i].values[tokens_]); },
                 [&](std::uint32_t i) { work(candidates_[i]); });
    }

    // From the end backwards: a position's target is its value, its surprise, and a fading share of later surprises. Its
    // siblings are given the same share, so that luck after one play does not decide between plays.
    void collect(std::vector<Sample>& out) {
        const Payout& payout = search_.payout();
        Values later = {};  // the next position's target minus its value
        std::vector<Sample> samples(steps_.size());
        for (std::size_t i = steps_.size(); i-- > 0;) {
            const Step& step = steps_[i];
            Values since = {};
            for (int tokens = 0; tokens < search_.token_states(); ++tokens) {
                if (step.action[tokens] != step.made) continue;
                const int next = step.made == kRollerRerolled ? tokens_left(tokens, Reroll::by_roller)
                                 : step.made == kOtherRerolled  ? tokens_left(tokens, Reroll::by_other)
                                 : step.again             ? tokens
                                                          : flip_tokens(tokens);
                const bool flips = step.made >= 0 && !step.again;
                Probabilities f = later[next];
                if (flips) {
                    f = payout.flip(f);
                    f[0] -= 1;  // a difference, not a chance
                }
                for (int k = 0; k < kMaxProbabilities; ++k) since[tokens][k] = lambda_ * f[k];
            }
            samples[i].position = step.position;
            for (int tokens = 0; tokens < search_.token_states(); ++tokens) {
                for (int k = 0; k < kMaxProbabilities; ++k) later[tokens][k] = step.surprise[tokens][k] + since[tokens][k];
                samples[i].target[tokens] = clamped(step.value[tokens], later[tokens], payout);
                if (outcomes_ && tokens != step.tokens) samples[i].target[tokens].fill(std::numeric_limits<float>::quiet_NaN());
                if (i == 0) continue;
                for (Sample& sibling : steps_[i - 1].siblings) {
                    sibling.target[tokens] = clamped(sibling.target[tokens], since[tokens], payout);
                }
            }
        }
        for (std::size_t i = 0; i < samples.size(); ++i) {
            if (i > 0 && !steps_[i - 1].siblings.empty()) {
                samples[i].roll = first_roll_ + static_cast<std::int64_t>(i);
                for (Sample& sibling : steps_[i - 1].siblings) {
                    sibling.roll = samples[i].roll;
                    out.push_back(sibling);
                }
            }
            out.push_back(samples[i]);
        }
    }

    static Probabilities clamped(const Probabilities& value, const Probabilities& change, const Payout& payout) {
        Probabilities f;
        for (int i = 0; i < kMaxProbabilities; ++i) f[i] = value[i] + change[i];
        f[0] = std::clamp(f[0], 0.0f, 1.0f);
        if (payout.per_checker) {
            f[1] = std::clamp(f[1], 0.0f, f[0] * kMaxPoints);
            f[2] = std::clamp(f[2], 0.0f, (1 - f[0]) * kMaxPoints);
        } else {
            f[1] = std::clamp(f[1], 0.0f, f[0]);
            f[2] = std::clamp(f[2], 0.0f, f[1]);
            f[3] = std::clamp(f[3], 0.0f, 1 - f[0]);
            f[4] = std::clamp(f[4], 0.0f, f[3]);
        }
        return f;
    }

    const Rules& rules_;
    Search& search_;
    const SelfPlay& settings_;
    std::int64_t first_roll_;
    bool outcomes_ = false;
    float lambda_ = static_cast<float>(settings_.lambda);
    double exploration_ = settings_.exploration;
    Filter siblings_ = settings_.siblings;
    Stream stream_;
    Position position_;
    int tokens_ = 0;
    bool over_ = false;
    PlayBuffer buffer_;
    Best best_;
    std::vector<Best> rows_;
    std::vector<int> further_;  // the rolls of second_ply()
    std::vector<Step> steps_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<Search> make_searches(const SelfPlay& settings, const Net& net) {
    std::vector<Search> searches;
    for (const Start& start : settings.starts) {
        std::shared_ptr<const Tables> tables = settings.tables ? Tables::of(*start.rules) : nullptr;
        searches.emplace_back(*start.rules, &net, std::move(tables), settings.pruning_net.get());
        searches.back().limit(settings.most_plays);
        searches.back().filter_replies(settings.replies);
        if (net.shape().by_gammons()) searches.back().value_by_gammons();
    }
    return searches;
}

void play_game(std::vector<Search>& searches, const SelfPlay& settings, std::uint64_t seed, std::uint64_t number,
               std::vector<Sample>& out) {
    Stream stream(seed, number);
    double total = 0;
    for (const Start& start : settings.starts) total += start.share;
    double left = stream.unit() * total;
    std::size_t chosen = 0;
    while (chosen + 1 < searches.size() && (left -= settings.starts[chosen].share) >= 0) ++chosen;
    Position start = settings.starts[chosen].rules->start_position();
    const bool rare = chosen == 0 && !settings.rare.empty() && stream.unit() < settings.rare_share;
    if (rare) start = settings.rare[stream.below(static_cast<std::uint32_t>(settings.rare.size()))];
    const bool money = rare && stream.unit() < kMoneyShare;
    Game game(*settings.starts[chosen].rules, searches[chosen], settings, stream, number);
    if (rare || settings.lambda >= 1) game.count_outcomes();  // 1-ply targets are as wrong in rare positions as the net itself: only outcomes tell
    game.play(out, start, money);
}

}  // namespace barpoint
