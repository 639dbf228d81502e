// Sweeps over whole games in pieces that are solved apart, by any process of any machine, from a table in tiles.
//
// The configurations of each block of a sweep make two stripes, of a small block one. A tile holds the values of one stripe of
// configurations against another; it is also the piece that is solved at once. The solver of contact_solver.hpp has the same bits:
// its batches are made of these pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tables/contact_plays.hpp"

namespace barpoint {

class ContactPieces {
  public:
    explicit ContactPieces(const ContactPlays& plays);  // which must outlive it

    // The first configuration of each stripe, then the number of configurations; the block of each stripe.
    const std::vector<std::uint32_t>& stripes() const { return stripes_; }
    const std::vector<std::uint32_t>& blocks() const { return blocks_; }
    std::uint32_t width(std::uint32_t stripe) const { return stripes_[stripe + 1] - stripes_[stripe]; }
    std::size_t pairs(std::uint32_t us, std::uint32_t them) const { return std::size_t{width(us)} * width(them); }
    bool holds(std::uint32_t us, std::uint32_t them) const { return plays_.holds(stripes_[us], stripes_[them]); }

    // The tiles from which a piece is solved: those of these stripes against the stripes up to `us`.
    const std::vector<std::uint32_t>& sources(std::uint32_t them) const { return sources_[them]; }

    // Solves a piece. Tiles: [sources(them), us + 1], nullptr for what the slice does not hold; out: [width(us), width(them), cell],
    // all 0 before.
    void values(std::uint32_t us, std::uint32_t them, std::span<const double* const> values, double* out) const;
    void probabilities(std::uint32_t us, std::uint32_t them, std::span<const double* const> values,
                       std::span<const float* const> probabilities, float* out) const;

    // Of the other side having borne off everything: [size, states, kContactHolders] and [size, states, kMaxProbabilities].
    const std::vector<double>& lost_values() const { return lost_values_; }
    const std::vector<float>& lost_probabilities() const { return lost_probabilities_; }

  private:
    template <int kStates>
    struct Rows;
    struct Place {
        std::uint16_t column, within;  // 0 for the side that has borne off everything, else 1 + the stripe
    };
    template <class RowsOf, class Solve>
    void each(std::uint32_t us, std::uint32_t them, RowsOf rows_of, Solve solve) const;
    // Probabilities where there is a place for them, else values.
    template <int kStates>
    void solve(std::uint32_t us, std::uint32_t them, std::span<const double* const> values,
               std::span<const float* const> probabilities, double* values_out, float* probabilities_out) const;
    // Of each of the 16 configurations that `them` may be hit into: where its row of each column begins.
    template <class Number>
    std::vector<const Number*> rows_of(std::uint32_t us, std::uint32_t them, std::span<const Number* const> tiles,
                                       const std::vector<Number>& lost, std::size_t cell) const;

    const ContactPlays& plays_;
    std::vector<std::uint32_t> stripes_, blocks_;
    std::vector<Place> places_;  // of each configuration
    std::vector<std::vector<std::uint32_t>> sources_;
    std::vector<double> lost_values_;
    std::vector<float> lost_probabilities_;
};

}  // namespace barpoint
