#include "training/selfplay.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "rules/dice.hpp"

namespace barpoint {
namespace {

constexpr int kCalled = -1;  // as an action: the roller annuls; any other action is the index of a play
constexpr int kAnnulled = -2;  // the other side annuls

// One roll of a game, for every head: what its position was thought to be worth, what the roll changed, and what was
// or would have been done.
struct Step {
    Position position;
    Values value = {};
    Values surprise = {};
    std::array<int, kMaxHeads> action = {};
    int made = 0;  // the action that was taken
    bool again = false;
};

class Game {
  public:
    // lambda: how far later surprises count.
    Game(const Rules& rules, Search& search, const SelfPlay& settings, double lambda, Stream stream)
        : rules_(rules), search_(search), settings_(settings), lambda_(static_cast<float>(lambda)), stream_(stream) {}

    void play(std::vector<Sample>& out, const Position& start) {
        position_ = start;
        head_ = search_.heads() - 1;
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
        if (!again) head_ = search_.heads() == 4 ? other_head(head_) : 0;
        over_ = outcome(rules_, position_).over;
    }

    void wander() {
        generate(rules_, position_, random_row(rules_, stream_), buffer_);
        const std::size_t chosen = stream_.below(static_cast<std::uint32_t>(buffer_.size()));
        advance(buffer_.result(chosen), buffer_.again(chosen));
    }

    void roll_once() {
        Step step;
        step.position = position_;
        search_.evaluate(position_, 0, step.value);
        const int row = random_row(rules_, stream_);
        Values again = step.value, figures = {};
        if (settings_.lookahead) {
            search_.best_of_rows(position_, rows_);
            search_.average(rows_, again);
            best_ = rows_[row];
        } else {
            search_.best(position_, row, 0, best_);
        }
        for (int head = 0; head < search_.heads(); ++head) {
            const Fate fate = search_.settle(head, best_, again, figures[head]);
            step.action[head] = fate == Fate::stands     ? best_.index[head]
                                : fate == Fate::own_call ? kCalled
                                                         : kAnnulled;
            const Figures& reached = settings_.lookahead ? again[head] : figures[head];
            for (int i = 0; i < kMaxFigures; ++i) step.surprise[head][i] = reached[i] - step.value[head][i];
        }
        step.made = step.action[head_];
        if (settings_.stray > 0 && stream_.unit() < settings_.stray) step.made = another(row, step.made);
        generate(rules_, position_, row, buffer_);
        if (step.made == kCalled) {
            head_ &= ~1;
        } else if (step.made == kAnnulled) {
            head_ &= ~2;
        } else {
            step.again = buffer_.again(step.made);
            advance(buffer_.result(step.made), step.again);
        }
        steps_.push_back(step);
    }

    // Any of the plays that are nearly as good as the best, which a net that thinks little of them would never see.
    int another(int row, int best) {
        static constexpr Filter kNearly = {5, 0.15f};
        search_.candidates(position_, row, 0, candidates_);
        order_.resize(candidates_.size());
        std::iota(order_.begin(), order_.end(), 0u);
        std::vector<int> others;
        for_best(order_, kNearly, [&](std::uint32_t i) { return search_.worth(candidates_[i].values[head_]); },
                 [&](std::uint32_t i) { others.push_back(candidates_[i].index); });
        std::erase(others, best);
        return others.empty() ? best : others[stream_.below(static_cast<std::uint32_t>(others.size()))];
    }

    // From the end backwards: a position's target is its value, its surprise, and a fading share of later surprises.
    void collect(std::vector<Sample>& out) {
        const Payout& payout = search_.payout();
        Values later = {};  // by which the next position's target differs from its value
        std::vector<Sample> samples(steps_.size());
        for (std::size_t i = steps_.size(); i-- > 0;) {
            const Step& step = steps_[i];
            Values change = step.surprise;
            for (int head = 0; head < search_.heads(); ++head) {
                if (step.action[head] != step.made) continue;
                const int next = step.made == kCalled     ? head & ~1
                                 : step.made == kAnnulled ? head & ~2
                                 : step.again             ? head
                                                          : other_head(head);
                const bool flips = step.made >= 0 && !step.again;
                Figures f = later[next];
                if (flips) {
                    f = payout.flip(f);
                    f[0] -= 1;  // a difference, not a chance
                }
                for (int k = 0; k < kMaxFigures; ++k) change[head][k] += lambda_ * f[k];
            }
            Sample& sample = samples[i];
            sample.position = step.position;
            for (int head = 0; head < search_.heads(); ++head) {
                sample.target[head] = clamped(step.value[head], change[head], payout);
            }
            later = change;
        }
        out.insert(out.end(), samples.begin(), samples.end());
    }

    static Figures clamped(const Figures& value, const Figures& change, const Payout& payout) {
        Figures f;
        for (int i = 0; i < kMaxFigures; ++i) f[i] = value[i] + change[i];
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
    float lambda_;
    Stream stream_;
    Position position_;
    int head_ = 0;
    bool over_ = false;
    PlayBuffer buffer_;
    Best best_;
    std::vector<Best> rows_;
    std::vector<Step> steps_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<Search> make_searches(const SelfPlay& settings, const Net& net) {
    std::vector<Search> searches;
    for (const Start& start : settings.starts) {
        std::shared_ptr<const Tables> tables = settings.tables ? Tables::of(*start.rules) : nullptr;
        searches.emplace_back(*start.rules, &net, std::move(tables), settings.pruner.get());
        searches.back().limit(settings.most_plays);
        searches.back().look_at(settings.replies);
    }
    return searches;
}

void play_game(std::vector<Search>& searches, const SelfPlay& settings, std::uint64_t seed, std::uint64_t game,
               std::vector<Sample>& out) {
    Stream stream(seed, game);
    double total = 0;
    for (const Start& start : settings.starts) total += start.share;
    double left = stream.unit() * total;
    std::size_t chosen = 0;
    while (chosen + 1 < searches.size() && (left -= settings.starts[chosen].share) >= 0) ++chosen;
    Position start = settings.starts[chosen].rules->start_position();
    double lambda = settings.lambda;
    if (chosen == 0 && !settings.rare.empty() && stream.unit() < settings.rare_share) {
        start = settings.rare[stream.below(static_cast<std::uint32_t>(settings.rare.size()))];
        lambda = 1;  // a net is as wrong there a roll ahead as it is now: only the end tells
    }
    Game(*settings.starts[chosen].rules, searches[chosen], settings, lambda, stream).play(out, start);
}

}  // namespace barpoint
