#include "tables/contact_pieces.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "tables/contact_cells.hpp"

namespace barpoint {

namespace {

// Configurations of a block that makes two stripes. Four checkers have blocks of 742 and, when halved, pieces of 0.1 seconds for any
// number of machines; a small block would be solved faster than its file is written.
constexpr std::uint32_t kHalvedFrom = 64;

}  // namespace

// As contact_cells.hpp asks for them. probabilities: empty while values are solved.
template <int kStates>
struct ContactPieces::Rows {
    const Place* places;
    std::size_t columns;
    std::vector<const double*> value_rows;
    std::vector<const float*> probability_rows;

    const double* values(std::size_t hits, std::uint32_t next) const {
        const Place at = places[next];
        return value_rows[hits * columns + at.column] + at.within * std::size_t{kStates * kContactHolders};
    }
    const float* probabilities(std::size_t hits, std::uint32_t next) const {
        const Place at = places[next];
        return probability_rows[hits * columns + at.column] + at.within * std::size_t{kStates * kMaxProbabilities};
    }
};

ContactPieces::ContactPieces(const ContactPlays& plays) : plays_(plays) {
    places_.push_back({0, 0});
    for (std::uint32_t first = 1, block = 0, last; first < plays.size(); first = last, ++block) {
        last = plays.block_end(first);
        const std::uint32_t middle = last - first < kHalvedFrom ? last : first + (last - first + 1) / 2;
        for (const auto [from, to] : {std::pair{first, middle}, std::pair{middle, last}}) {
            if (from == to) continue;
            stripes_.push_back(from);
            blocks_.push_back(block);
            for (std::uint32_t us = from; us < to; ++us) {
                places_.push_back({static_cast<std::uint16_t>(stripes_.size()), static_cast<std::uint16_t>(us - from)});
            }
        }
    }
    stripes_.push_back(plays.size());
    for (std::uint32_t stripe = 0; stripe < blocks_.size(); ++stripe) {
        std::set<std::uint32_t> found;
        for (std::uint32_t them = stripes_[stripe]; them < stripes_[stripe + 1]; ++them) {
            for (const std::uint32_t hit : plays.target(them).hit) found.insert(places_[hit].column - 1u);
        }
        sources_.emplace_back(found.begin(), found.end());
    }
    const auto states = static_cast<std::size_t>(plays.states());
    lost_values_.assign(plays.size() * states * kContactHolders, 0.0);
    lost_probabilities_.assign(plays.size() * states * kMaxProbabilities, 0.0f);
    for (std::uint32_t us = 1; us < plays.size(); ++us) {
        plays.lost(us, &lost_values_[us * states * kContactHolders]);
        plays.lost(us, &lost_probabilities_[us * states * kMaxProbabilities]);
    }
}

template <class Number>
std::vector<const Number*> ContactPieces::rows_of(std::uint32_t us, std::uint32_t them, std::span<const Number* const> tiles,
                                                  const std::vector<Number>& lost, std::size_t cell) const {
    const std::size_t columns = us + 2;
    const std::vector<std::uint32_t>& sources = sources_[places_[them].column - 1u];
    std::vector<const Number*> rows;
    rows.reserve(16 * columns);
    for (const std::uint32_t hit : plays_.target(them).hit) {
        rows.push_back(&lost[hit * cell]);
        const Place at = places_[hit];
        const auto source = static_cast<std::size_t>(std::lower_bound(sources.begin(), sources.end(), at.column - 1u) - sources.begin());
        for (std::uint32_t column = 0; column <= us; ++column) {
            const Number* tile = tiles[source * (us + 1) + column];
            rows.push_back(tile ? tile + at.within * width(column) * cell : nullptr);
        }
    }
    return rows;
}

// One configuration of the other side after the other: its rows are what is read.
template <class RowsOf, class Solve>
void ContactPieces::each(std::uint32_t us, std::uint32_t them, RowsOf rows_of, Solve solve) const {
    for (std::uint32_t t = stripes_[them]; t < stripes_[them + 1]; ++t) {
        const auto rows = rows_of(t);
        for (std::uint32_t u = stripes_[us]; u < stripes_[us + 1]; ++u) {
            if (plays_.possible(u, t)) solve(u, t, rows, std::size_t{u - stripes_[us]} * width(them) + (t - stripes_[them]));
        }
    }
}

template <int kStates>
void ContactPieces::solve(std::uint32_t us, std::uint32_t them, std::span<const double* const> values,
                          std::span<const float* const> probabilities, double* values_out, float* probabilities_out) const {
    constexpr std::size_t kValues = kStates * kContactHolders, kProbabilities = kStates * kMaxProbabilities;
    const auto rows_for = [&](std::uint32_t t) {
        Rows<kStates> rows{places_.data(), us + 2u, rows_of<double>(us, t, values, lost_values_, kValues), {}};
        if (probabilities_out) rows.probability_rows = rows_of<float>(us, t, probabilities, lost_probabilities_, kProbabilities);
        return rows;
    };
    if (probabilities_out) {
        each(us, them, rows_for, [&](std::uint32_t u, std::uint32_t t, const Rows<kStates>& rows, std::size_t pair) {
            solve_probabilities<kStates>(plays_, u, t, rows, probabilities_out + pair * kProbabilities);
        });
    } else {
        each(us, them, rows_for, [&](std::uint32_t u, std::uint32_t t, const Rows<kStates>& rows, std::size_t pair) {
            solve_values<kStates>(plays_, u, t, rows, values_out + pair * kValues);
        });
    }
}

void ContactPieces::values(std::uint32_t us, std::uint32_t them, std::span<const double* const> values, double* out) const {
    plays_.states() == 1 ? solve<1>(us, them, values, {}, out, nullptr) : solve<kMaxTokenStates>(us, them, values, {}, out, nullptr);
}

void ContactPieces::probabilities(std::uint32_t us, std::uint32_t them, std::span<const double* const> values,
                                  std::span<const float* const> probabilities, float* out) const {
    plays_.states() == 1 ? solve<1>(us, them, values, probabilities, nullptr, out)
                         : solve<kMaxTokenStates>(us, them, values, probabilities, nullptr, out);
}

}  // namespace barpoint
