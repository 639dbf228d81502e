// Values of positions and plays by searching a number of plies, with the right to annul rolls inside (rulings 2.7).
#pragma once

#include <array>
#include <cstdint>
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
#include "rules/rules.hpp"
#include "search/cube_tree.hpp"
#include "search/filter.hpp"
#include "tables/exact_tables.hpp"

namespace barpoint {

// What becomes of a roll.
enum class Fate : std::uint8_t { stands, own_call, other_call };

// One way to play a roll; values for the mover, by his head (his marker, the other side's).
struct Candidate {
    int index = 0;    // among the generator's plays
    Position result;  // seen by the mover
    bool again = false;
    bool ended = false;
    bool final = false;  // its values are exact: the game is over, or a table has them
    bool deep = true;  // looked at as far as was asked; the others, clearly worse, were seen with the net alone
    Values values = {};
    std::array<double, kMaxHeads> worth = {};  // with a cube in play, in the units of Worth
};

// The best play of a roll for every head: its index, its figures, whether the game is over.
struct Best {
    std::array<int, kMaxHeads> index = {};
    std::array<float, kMaxHeads> equity = {};
    std::array<bool, kMaxHeads> ended = {};
    Values values = {};
    PlacedHeads placed = {};  // with a cube in play
};

class Search {
  public:
    // net may be nullptr: then every line must end within the plies, and values are exact.
    // tables, where given, are asked before the net: exact positions are not looked at further, races at any ply.
    // pruner, where given, is a small net of the same kind that says which replies are worth the net's look.
    // Rolls std::invalid_argument when a net does not fit the rules.
    Search(const Rules& rules, const Net* net, std::shared_ptr<const Tables> tables = nullptr, const Net* pruner = nullptr);
    Search(Search&&) = default;
    Search(const Search&) = delete;

    // Of rolls that can be played in more ways, only so many, evenly chosen, are looked at (Acey-Deucey has rolls with
    // tens of thousands). For training; 0 looks at all.
    void limit(std::size_t most) { most_ = most; }

    // Replies inside the tree that the net looks at where a pruner has judged them first.
    void look_at(const Filter& replies) { inside_ = replies; }

    // Plays of a position asked about by itself that the net looks at where a pruner has judged them first; without this
    // all of them, unless there are very many.
    void look_at_plays(const Filter& plays) { plays_ = plays; }

    // What both sides play for from now on, the player to act first: plays are chosen and cut by that. Nothing: points.
    // With a cube, positions are also worth what it is used for down the tree; asked for no more plies than it was made for.
    void value_by(const std::optional<Scales>& scales, const std::optional<CubeTree>& cube = std::nullopt) {
        scales_ = scales;
        cube_ = cube;
        side_ = 0;
        known_.clear();
    }

    // To be called when the net has changed.
    void forget();

    // So many threads work on a question of two plies or more, and on many positions; answers do not depend on them.
    void share(int threads);
    // As evaluate(), of each.
    void evaluate_all(const Position* positions, std::size_t count, int plies, Values* out);

    int heads() const { return heads_; }
    const Payout& payout() const { return payout_; }
    // What figures are worth to the player to act.
    float worth(const Figures& figures) const { return scales_ ? (*scales_)[side_].of(figures) : payout_.equity(figures); }

    // Figures for the player to act before he rolls. 0 plies: the net alone; each further one looks a roll ahead.
    void evaluate(const Position& position, int plies, Values& out);

    // The same with the cube in play, and by place of the cube what rolling now is worth to the player to act.
    void evaluate(const Position& position, int plies, Values& out, PlacedHeads& rolling);

    // Every play of the roll with the values that `plies` give the position after it, in the generator's order.
    // With plies, stage by stage only those that may still be the best are looked at further.
    void candidates(const Position& position, int row, int plies, std::vector<Candidate>& out);

    // The best play of the roll for every head.
    void best(const Position& position, int row, int plies, Best& out);
    // The same of every row by the net alone, which then looks at all of them together.
    void best_of_rows(const Position& position, std::vector<Best>& out);
    // After best_of_rows(): plays of one row, of which the net now looks at more for the head, as many as the filter says.
    // False, and nothing, where that was of another position or has not looked at all plays of the row.
    bool more_of_row(const Position& position, int row, int head, const Filter& filter, std::vector<Candidate>& out);

    // The values of a roll from the best plays of every row: R of rulings 2.7, each head from those with fewer markers.
    void average(const std::vector<Best>& rows, Values& out) const;
    void average(const std::vector<Best>& rows, PlacedHeads& rolling) const;

    // What becomes of a roll whose best play is known, and its figures; `again` is the value of rolling again.
    Fate settle(int head, const Best& best, const Values& again, Figures& out) const;

  private:
    // What is known of a position without a roll.
    enum class Leaf { open, partly, known, exact, ended };  // partly: in the state without markers
    // One way to play a roll.
    struct Reply {
        int index;      // among the generator's plays
        Leaf leaf;      // what is known of the position after it without a net
        bool again;     // the mover rolls once more
        bool wanted;    // looked at by the net, or known without it
        Values values;  // for the mover
    };
    // From one to before the other: rows of the dice, or replies.
    struct Range {
        std::size_t begin, end;

        static Range one(int row) { return {static_cast<std::size_t>(row), static_cast<std::size_t>(row) + 1}; }
    };
    using Order = std::vector<std::uint32_t>;  // replies by their number in a level
    // A position looked at some plies deep, by the side whose turn it is.
    struct Looked {
        Position position;
        int plies;
        std::size_t side;

        friend bool operator==(const Looked&, const Looked&) = default;
    };
    struct LookedHash {
        std::size_t operator()(const Looked& looked) const {
            return static_cast<std::size_t>(hash(looked.position) + 2 * static_cast<unsigned>(looked.plies) + looked.side);
        }
    };
    struct Found {
        Values values = {};
        PlacedHeads placed = {};
    };
    // A reply that was looked at further, for the mover.
    struct Chosen {
        std::size_t reply;
        Found found;
    };
    struct Level {
        PlayBuffer buffer;
        Position position;  // whose rolls were looked at last, all of them or one
        std::vector<Candidate> candidates;
        std::vector<Reply> replies;      // to the rolls looked at together, one roll after the other
        std::vector<Position> nexts;     // after each reply, seen by the side that acts then
        std::vector<std::size_t> ends;   // of each roll among them
        std::vector<Best> rows;
        std::vector<float> merits;
        Order order, many;  // replies that the net has to judge; those that the pruner has to judge before
        Order fresh;        // of order, those with a position of their own
        std::vector<std::pair<std::uint32_t, std::uint32_t>> twins;  // the others, and which of them they are as
        std::vector<std::uint32_t> slots;                            // open addressing: reply + 1, 0 free
        std::vector<Values> seen;
        std::vector<Chosen> chosen;
        Fan fan, small_fan;

        Range replies_to(std::size_t roll_number) const { return {roll_number ? ends[roll_number - 1] : 0, ends[roll_number]}; }
    };

    Leaf look(const Position& next, Values& out) const;
    void leaves(const Position* positions, std::size_t count, Values* out);
    void see_as_mover(const Values& seen, bool again, Values& out) const;
    void estimate(Level& here, const Order& order, Fan& fan) const;
    void estimate_once(Level& here) const;
    void child(const Position& next, bool again, int plies, Values& out, PlacedHeads& placed);
    void place(const Level& here, std::size_t number, std::size_t first, int head, int plies, Placed& out);
    std::size_t reply_for(const Level& here, std::size_t number, int head, int rung) const;
    const Found& look_further(const Level& here, std::size_t reply, int plies);
    Placed ending(const Position& next, bool again, Leaf leaf, int head, const Figures& figures) const;
    void look_at_rows(const Position& position, int plies, std::vector<Best>& rows);
    bool final(Leaf leaf) const;
    double merit(const Candidate& candidate, int head) const;
    void look_at_replies(const Position& position, const Range& rows, bool inside, Level& here);
    Candidate candidate(const Level& here, std::size_t reply) const;
    void list_replies(const Position& position, int row, Level& here) const;
    void prune(const Position& base, const Filter& filter, std::size_t few, Level& here);
    template <class Work>
    static void each_roll(const Level& here, Order& order, Work&& work);
    void mark_wanted(std::span<std::uint32_t> order, const Filter& filter, Level& here);
    void expand(const Position& position, int row, int plies, std::vector<Candidate>& out);
    void deepen(int plies, std::vector<Candidate>& all);
    void pick(Level& here, std::size_t number, int plies, Best& out);
    template <class Work>
    void spread(std::size_t count, Work&& work);

    const Rules& rules_;
    const Net* net_;
    std::shared_ptr<const Tables> tables_;
    const Net* pruner_;
    Payout payout_;
    int heads_;
    std::size_t most_ = 0;
    Filter inside_ = {4, 0.16f};
    Filter plays_ = {0, 0};  // none: see kManyPlays
    std::optional<Scales> scales_;
    std::optional<CubeTree> cube_;
    std::size_t side_ = 0;  // whose turn it is where the search is: 0 the player to act at its root
    // Found within one question: after rolls that cannot be played, for one, the same position comes again and again.
    std::unordered_map<Looked, Found, LookedHash> known_;
    std::vector<std::unique_ptr<Search>> helpers_;  // one for each further thread
    bool spreading_ = false;
    std::vector<std::unique_ptr<Level>> levels_;  // scratch of each depth
    Level& level(int plies);
};

}  // namespace barpoint
