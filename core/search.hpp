// Values of positions and plays by searching a number of plies, with the right to annul throws inside (RULES.md 2.7).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "net.hpp"
#include "payout.hpp"
#include "plays.hpp"
#include "rules.hpp"
#include "tables.hpp"

namespace barpoint {

// What becomes of a throw.
enum class Fate : std::uint8_t { stands, own_call, other_call };

// One way to play a throw; values for the mover, by his head (his marker, the other side's).
struct Candidate {
    int index = 0;    // among the generator's plays
    Position result;  // seen by the mover
    bool again = false;
    bool ended = false;
    bool final = false;  // its values are exact: the game is over, or a table has them
    bool deep = true;  // looked at as far as was asked; the others, clearly worse, were seen with the net alone
    Values values = {};
};

// The best play of a throw for every head: its index, its figures, whether the game is over.
struct Best {
    std::array<int, kMostHeads> index = {};
    std::array<float, kMostHeads> equity = {};
    std::array<bool, kMostHeads> ended = {};
    Values values = {};
};

class Search {
  public:
    // net may be nullptr: then every line must end within the plies, and values are exact.
    // tables, where given, are asked before the net: exact positions are not looked at further, races at any ply.
    // Throws std::invalid_argument when the net does not fit the rules.
    Search(const Rules& rules, const Net* net, std::shared_ptr<const Tables> tables = nullptr);
    Search(Search&&) = default;
    Search(const Search&) = delete;

    // Of throws that can be played in more ways, only so many, evenly chosen, are looked at (Acey-Deucey has throws with
    // tens of thousands). For training; 0 looks at all.
    void limit(std::size_t most) { most_ = most; }

    int heads() const { return heads_; }
    const Payout& payout() const { return payout_; }

    // Figures for the player to act before he throws. 0 plies: the net alone; each further one looks a throw ahead.
    void evaluate(const Position& position, int plies, Values& out);

    // Every play of the throw with the values that `plies` give the position after it, in the generator's order.
    // With plies, those that the net alone finds clearly worse are not looked at further.
    void candidates(const Position& position, int row, int plies, std::vector<Candidate>& out);

    // The best play of the throw for every head.
    void best(const Position& position, int row, int plies, Best& out);

    // The values of a throw from the best plays of every row: R of RULES.md 2.7, each head from those with fewer markers.
    void average(const std::vector<Best>& rows, Values& out) const;

    // What becomes of a throw whose best play is known, and its figures; `again` is the value of throwing again.
    Fate settle(int head, const Best& best, const Values& again, Figures& out) const;

  private:
    enum class Leaf { open, exact, ended };
    Leaf leaf(const Position& next, Values& out);
    void child(const Candidate& candidate, const Position& next, int plies, Values& out);
    void expand(const Position& position, int row, int plies, PlayBuffer& buffer, std::vector<Candidate>& out);
    void deepen(int plies, const PlayBuffer& buffer, std::vector<Candidate>& all);

    struct Level {
        PlayBuffer buffer;
        std::vector<Candidate> candidates;
        std::vector<Best> rows;
    };

    const Rules& rules_;
    const Net* net_;
    std::shared_ptr<const Tables> tables_;
    Payout payout_;
    int heads_;
    std::size_t most_ = 0;
    std::vector<std::unique_ptr<Level>> levels_;  // scratch of each depth
    Level& level(int plies);
};

}  // namespace barpoint
