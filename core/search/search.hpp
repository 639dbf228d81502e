// Values of positions and plays by searching a number of plies, reroll decisions included (rulings 2.7).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nets/accumulator.hpp"
#include "nets/net.hpp"
#include "rules/payout.hpp"
#include "rules/plays.hpp"
#include "rules/reroll.hpp"
#include "rules/rules.hpp"
#include "search/cube_tree.hpp"
#include "search/filter.hpp"
#include "tables/exact_tables.hpp"

namespace barpoint {

// One way to play a roll; values for the mover, by token state, or at a score by rung of the cube (see Search).
struct Candidate {
    int index = 0;    // index among the generator's plays
    Position result;  // seen by the mover
    bool again = false;
    bool ended = false;
    bool final = false;  // its values are exact: the game is over, or a table knows them
    bool deep = true;  // searched to the full depth; the others, clearly worse, have values of a search before it
    Values values = {};
    std::array<double, kMaxTokenStates> stake_value = {};  // with a cube in play, in the units of PointValues
    int plies = 0;                                         // the depth of its values
};

// The best play of a roll for each state: its index, its values, whether it ends the game.
struct Best {
    std::array<int, kMaxTokenStates> index = {};
    std::array<float, kMaxTokenStates> equity = {};
    std::array<bool, kMaxTokenStates> ended = {};
    Values values = {};
    PlaceValuesByTokens place_values = {};  // with a cube in play
};

class Search {
  public:
    // net may be nullptr: then every line must end within the plies, and values are exact.
    // tables, where given, are asked before the net, at any ply.
    // pruning_net, where given, is a small net of the same kind that preselects the replies that the net evaluates.
    // Raises std::invalid_argument when a net does not fit the rules.
    Search(const Rules& rules, const Net* net, std::shared_ptr<const Tables> tables = nullptr, const Net* pruning_net = nullptr);
    Search(Search&&) = default;
    Search(const Search&) = delete;

    // Evaluates at most this many plays of a roll, evenly chosen (Acey-Deucey has rolls with tens of thousands). For
    // training; 0 evaluates all.
    void limit(std::size_t most) { most_ = most; }

    // The filter for replies inside the tree where a pruning net preselects them.
    void filter_replies(const Filter& replies) { inside_ = replies; }

    // The filter for plays at the root where a pruning net preselects them; without it all, unless there are very many.
    void filter_plays(const Filter& plays) { plays_ = plays; }

    // What both sides play for from now on, the player to act first; nullopt: points. Plays are chosen and filtered by it.
    // With a cube tree, values include the use of the cube down the tree; searches may not be deeper than it was made for.
    // prices: of gammons by rung of the cube, to the player to act and to the other side; by default those of the scales. A tree has its own. A
    // net whose states say whose gammons count gives probabilities for each of these rungs, in place of the one state. With
    // a tree the best play is chosen for each rung, otherwise for the first alone.
    void value_by(const std::optional<Scales>& scales, const std::optional<CubeTree>& cube = std::nullopt,
                  const std::optional<std::array<RungPrices, 2>>& prices = std::nullopt);
    // Values by gammon state, of a net that has these: each play is chosen for its state.
    void value_by_gammons();

    // Must be called when the net has changed; prices that were given are then those of the scales again.
    void forget();

    // Called in the middle of searches, on each of their threads; what it throws ends the search.
    void watch(std::function<void()> look);

    // The number of threads for searches of two plies or more and for many positions; results do not depend on it.
    void share(int threads);
    // evaluate() of each position.
    void evaluate_all(const Position* positions, std::size_t count, int plies, Values* out);

    // The number of token states, or of gammon states by value_by_gammons().
    int token_states() const { return states_; }
    // At a score, the probabilities of a state by rung.
    RungProbabilities by_rung(const Values& values, int state) const {
        return rungs_ > 1 ? RungProbabilities(values, rungs_) : RungProbabilities(values[static_cast<std::size_t>(state)]);
    }
    const Payout& payout() const { return payout_; }
    // The value of the probabilities of a state to the player to act: points, or at a score its normalised equity.
    float equity_of(int state, const Probabilities& probabilities) const {
        if (by_gammons_) return gammon_scale(state).of(probabilities);
        if (!scales_) return payout_.equity(probabilities);
        return rungs_ > 1 && state > 0 ? cube_->merit(static_cast<int>(side_), state, probabilities) : (*scales_)[side_].of(probabilities);
    }

    // Values for the player to act before the roll. 0 plies: the net alone; each further ply looks one roll ahead.
    void evaluate(const Position& position, int plies, Values& out);

    // The same with the cube in play; rolling: by place of the cube, the value of rolling now.
    void evaluate(const Position& position, int plies, Values& out, PlaceValuesByTokens& rolling);

    // Every play of the roll with the values that a search of `plies` gives the position after it, in the generator's order.
    // With plies, each stage searches only the plays further that may still be the best.
    void candidates(const Position& position, int row, int plies, std::vector<Candidate>& out);

    // The best play of the roll for each token state; without plies, of those that the pruning net lets through.
    void best(const Position& position, int row, int plies, Best& out);
    // The best of all plays by the net alone.
    void best_of_all(const Position& position, int row, Best& out);
    // The same for every row by the net alone, which evaluates all rows together; where a row is owed, for that one alone.
    void best_of_rows(const Position& position, std::vector<Best>& out);
    // After best_of_rows(): the plays of one row, of which the net now evaluates as many for this token state as the filter
    // says. False, and `out` unchanged, if that call was for another position or did not list all plays of the row.
    bool more_of_row(const Position& position, int row, int tokens, const Filter& filter, std::vector<Candidate>& out);

    // The values of a roll from the best plays of every row, or of the row that is owed: R of rulings 2.7, each state from those with fewer tokens.
    void average(const std::vector<Best>& rows, Values& out) const;
    void average(const std::vector<Best>& rows, PlaceValuesByTokens& rolling) const;

    // What a second ply changes in average(), for the player to act, by these rolls alone, each weighing the same: the value of the best reply,
    // chosen by the net, by a search of one ply less that by the net. rolling: values by one ply, which decide about rerolls as before.
    void second_ply(const Position& position, std::span<const int> rolls, const Values& rolling, Values& out);

    // The reroll decision about a roll whose best play is known, and the values that remain; again: values of rolling again.
    Reroll settle(int tokens, const Best& best, const Values& again, Probabilities& out) const;

  private:
    // What is known of a position without searching.
    enum class Leaf { open, partly, known, exact, ended };  // partly: in the state without tokens alone
    // One way to play a roll.
    struct Reply {
        int index;      // index among the generator's plays
        Leaf leaf;      // what tables know of the position after it
        bool again;     // the mover rolls once more
        bool wanted;    // evaluated by the net, or known without it
        Values values;  // for the mover
    };
    // Half-open: rows of the dice, or replies.
    struct Range {
        std::size_t begin, end;

        static Range one(int row) { return {static_cast<std::size_t>(row), static_cast<std::size_t>(row) + 1}; }
    };
    using Order = std::vector<std::uint32_t>;  // replies by their number in a level
    // A position searched to a depth, and the side to act.
    struct SearchKey {
        Position position;
        int plies;
        std::size_t side;

        friend bool operator==(const SearchKey&, const SearchKey&) = default;
    };
    struct SearchKeyHash {
        std::size_t operator()(const SearchKey& looked) const {
            return static_cast<std::size_t>(hash(looked.position) + 2 * static_cast<unsigned>(looked.plies) + looked.side);
        }
    };
    struct Found {
        Values values = {};
        PlaceValuesByTokens place_values = {};
    };
    // A reply that was searched further, values for the mover.
    struct Chosen {
        std::size_t reply;
        Found found;
    };
    using Selected = std::array<std::size_t, kMaxTokenStates>;  // the best reply to a roll for each state, or for the first rungs
    // What the first layer of the cube net makes of the positions after some replies, which it takes together.
    struct CubeSums {
        Order replies;  // ascending
        std::vector<Position> positions;
        std::vector<CubeNet::Sums> sums;

        const CubeNet::Sums* of(std::size_t reply) const {
            const auto found = std::lower_bound(replies.begin(), replies.end(), reply);
            return found != replies.end() && *found == reply ? &sums[static_cast<std::size_t>(found - replies.begin())] : nullptr;
        }
    };
    struct Level {
        PlayBuffer buffer;
        Position position;  // whose replies are listed here, to all rolls or one
        std::vector<Candidate> candidates;
        std::vector<Reply> replies;      // to all rolls that are evaluated together, roll by roll
        std::vector<Position> nexts;     // after each reply, seen by the side that acts then
        std::vector<std::size_t> ends;   // of each roll among them
        std::vector<Best> rows;
        std::vector<float> merits;
        Order order, many;  // replies for the net to evaluate; those that the pruning net evaluates first
        Order fresh;        // those of `order` with distinct positions
        std::vector<std::pair<std::uint32_t, std::uint32_t>> twins;  // the others, with the reply of the same position
        std::vector<std::uint32_t> slots;                            // open addressing: reply + 1, 0 free
        std::vector<Values> seen;
        std::vector<Chosen> chosen;
        std::vector<Selected> selected;  // of each roll
        CubeSums cube_sums;
        Accumulator accumulator, pruning_accumulator;

        Range replies_to(std::size_t roll_number) const { return {roll_number ? ends[roll_number - 1] : 0, ends[roll_number]}; }
    };

    Leaf look(const Position& next, Values& out) const;
    void leaves(const Position* positions, std::size_t count, Values* out);
    bool net_knows_gammons() const { return net_ && net_->shape().by_gammons(); }
    // Values in use: of each state, or of each rung.
    int values_used() const { return std::max(states_, static_cast<int>(rungs_)); }
    // States whose best play is chosen by itself.
    int choices() const { return cube_ ? values_used() : states_; }
    void see_as_mover(const Values& seen, bool again, Values& out) const;
    void estimate(Level& here, const Order& order, Accumulator& accumulator, bool pruning) const;
    void estimate_once(Level& here) const;
    void child(const Position& next, bool again, int plies, Values& out, PlaceValuesByTokens& place_values);
    void place(const Level& here, std::size_t number, const Selected& best, int tokens, int plies, PlaceValues& out);
    std::size_t reply_for(const Level& here, std::size_t number, int tokens, int rung) const;
    const Found& search_further(const Level& here, std::size_t reply, int plies);
    PlaceValues ending(const Position& next, bool again, Leaf leaf, int tokens, const Values& values, const CubeNet::Sums* sums) const;
    PlaceValues ending(const Level& here, std::size_t reply, int tokens) const;
    bool asks_cube_net() const { return cube_ && cube_->net(); }
    void ask_cube_net(Level& here) const;
    void evaluate_rows(const Position& position, int plies, std::vector<Best>& rows);
    // The rows are those of a position in which one is owed.
    bool is_owed(const std::vector<Best>& rows) const { return rules_.has_next && rows.size() == 1; }
    bool final(Leaf leaf) const;
    double merit(const Candidate& candidate, int tokens) const;
    void evaluate_replies(const Position& position, const Range& rows, bool inside, Level& here);
    Candidate candidate(const Level& here, std::size_t reply) const;
    void list_replies(const Position& position, int row, Level& here) const;
    void prune(const Position& base, const Filter& filter, std::size_t few, Level& here);
    template <class Work>
    static void each_roll(const Level& here, Order& order, Work&& work);
    void mark_wanted(std::span<std::uint32_t> order, const Filter& filter, Level& here);
    void expand(const Position& position, int row, int plies, std::vector<Candidate>& out);
    void deepen(int plies, std::vector<Candidate>& all);
    void pick(Level& here, std::size_t number, int plies, Best& out);
    void pick_all(Level& here, std::vector<Best>& rows);
    void select(Level& here, std::size_t number, int plies, Selected& found, Best& out);
    void search_selected(const Level& here, std::size_t number, int plies, const Selected& found, Best& out);
    // Calls work(search, i) for each i < count. shared: threads take part, each with a search of its own, unless they are at work already.
    void each(std::size_t count, bool shared, const std::function<void(Search&, std::size_t)>& work);
    // Depth from which threads share one position. Results do not depend on it; one ply takes 0.5 ms (benchmarks/results.md, search),
    // of which starting threads would take a good part.
    static constexpr int kSharedPlies = 2;

    const Rules& rules_;
    const Net* net_;
    std::shared_ptr<const Tables> tables_;
    const Net* pruning_net_;
    Payout payout_;
    int states_;  // number of states that each side sees by flip_tokens: token states, or gammon states
    bool by_gammons_ = false;
    std::size_t rungs_ = 1;  // where there is one such state: rungs of the cube with probabilities of their own
    std::map<std::vector<GammonPrices>, std::shared_ptr<const OutputLayer>> layers_;  // by the prices of the rungs
    std::array<std::shared_ptr<const OutputLayer>, 2> layer_;                          // of both sides; none: the net's own
    std::size_t most_ = 0;
    std::function<void()> watch_;
    Filter inside_ = {4, 0.16f, 8};  // benchmarks/results.md, "Tried and reverted"; docs/decisions/0025
    Filter plays_ = {0, 0};  // none: see kManyPlays
    std::optional<Scales> scales_;
    std::optional<CubeTree> cube_;
    std::size_t side_ = 0;  // whose turn it is where the search is: 0 the player to act at its root
    // Values found within one search: the same position comes again, for one after rolls that cannot be played.
    std::unordered_map<SearchKey, Found, SearchKeyHash> known_;
    std::vector<std::unique_ptr<Search>> helpers_;  // one for each further thread
    bool spreading_ = false;
    std::vector<std::unique_ptr<Level>> levels_;  // scratch of each depth
    Level& level(int plies);
};

}  // namespace barpoint
