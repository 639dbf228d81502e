// Legal plays: one entry for each distinct (result, again), rulings 6.1 and 6.2 generalised to tables of rolls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rules/position.hpp"
#include "rules/rules.hpp"

namespace barpoint {

class StageGraph;

// Distinct (position, flag) pairs in order of insertion. Memory is kept for the next use.
class ResultSet {
  public:
    std::size_t size() const { return count_; }
    const Position& position(std::size_t index) const { return positions_[index]; }
    bool flag(std::size_t index) const { return flags_[index] != 0; }
    const Position* data() const { return positions_.data(); }
    const std::uint8_t* flags() const { return flags_.data(); }

    void truncate(std::size_t count);
    // Room for one more, to be written and then kept by push() or insert().
    Position& next() {
        if (count_ == positions_.size()) grow();
        return positions_[count_];
    }
    void push(bool flag) { flags_[count_++] = flag; }  // known to be new
    void insert(bool flag);                            // dropped where it is there already
    void insert(const Position& position, bool flag) {
        next() = position;
        insert(flag);
    }

  private:
    void grow();
    void index_up_to(std::size_t count);
    std::size_t find_slot(const Position& position, bool flag) const;

    std::vector<Position> positions_;
    std::vector<std::uint8_t> flags_;
    std::size_t count_ = 0;
    std::vector<std::uint32_t> slots_;  // open addressing: index + 1, 0 free
    std::size_t indexed_ = 0;           // so many entries stand in slots_
};

// Results of one call of generate(). Keep one per thread and reuse it: it then allocates nothing.
class PlayBuffer {
  public:
    PlayBuffer();
    ~PlayBuffer();
    PlayBuffer(PlayBuffer&&) noexcept;

    std::size_t size() const { return results_.size(); }
    // The position after the play, seen by the mover (us = the mover).
    const Position& result(std::size_t index) const { return results_.position(index); }
    const Position* begin() const { return results_.data(); }
    const Position* end() const { return results_.data() + results_.size(); }
    // The same side acts again: it rolls, or plays what it owes in the result.
    bool again(std::size_t index) const { return results_.flag(index); }
    const std::uint8_t* flags() const { return results_.flags(); }  // again() of each
    // The position seen by the side that acts next.
    Position next(std::size_t index) const { return again(index) ? result(index) : result(index).flip(); }

  private:
    friend void generate(const Rules&, const Position&, int, PlayBuffer&);
    ResultSet results_;
    ResultSet one_start_, starts_;  // stages after the first
    std::unique_ptr<StageGraph> graph_;
};

// All distinct results of the roll rules.rows[row] for position.us. Never empty: where nothing can be played the one
// result has all checkers where they were. Where a row is owed, it is the only one that may be asked for. The position must have passed complaint(), and the game must not be over in it.
void generate(const Rules& rules, const Position& position, int row, PlayBuffer& out);

}  // namespace barpoint
