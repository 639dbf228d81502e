// Pieces of sweeps over whole games, as src/barpoint/engine/contact_tiles.py calls them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "tables/contact_pieces.hpp"
#include "tables/contact_solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {

namespace {

template <class Number>
using Array = nb::ndarray<const Number, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Words = nb::ndarray<const std::uint32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

// Spans and replies as pairs of numbers, as they lie in files.
template <class Pair>
std::span<const Pair> as_span(const Words& words) {
    static_assert(sizeof(Pair) == 2 * sizeof(std::uint32_t));
    return {reinterpret_cast<const Pair*>(words.data()), words.shape(0)};
}

template <class Pair>
nb::ndarray<nb::numpy, const std::uint32_t> as_words(std::span<const Pair> pairs) {
    return {reinterpret_cast<const std::uint32_t*>(pairs.data()), {pairs.size(), 2}};
}

void check(const ContactPieces& pieces, std::uint32_t us, std::uint32_t them) {
    const std::size_t stripes = pieces.blocks().size();
    if (us >= stripes || them >= stripes || !pieces.holds(us, them)) throw nb::index_error("no such piece");
}

// The tiles of a piece, checked; an empty array stands for one that the slice does not hold.
template <class Number>
std::vector<const Number*> checked(const ContactPieces& pieces, std::uint32_t us, std::uint32_t them,
                                   const std::vector<Array<Number>>& tiles, std::size_t cell) {
    const std::vector<std::uint32_t>& sources = pieces.sources(them);
    if (tiles.size() != sources.size() * (us + 1)) {
        throw std::invalid_argument("a piece needs the tiles of its sources up to its own stripe");
    }
    std::vector<const Number*> found;
    found.reserve(tiles.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const std::uint32_t row = sources[i / (us + 1)], column = static_cast<std::uint32_t>(i % (us + 1));
        const std::size_t needed = pieces.holds(row, column) ? pieces.pairs(row, column) * cell : 0;
        if (!tiles[i].is_valid() || tiles[i].shape(0) != needed) throw std::invalid_argument("a tile does not have its size");
        found.push_back(needed ? tiles[i].data() : nullptr);
    }
    return found;
}

// A new array of Python's, all 0 before `solve` fills it without the GIL.
template <class Number, class Solve>
nb::object filled(std::size_t count, Solve solve) {
    auto out = std::make_unique<Number[]>(count);
    {
        nb::gil_scoped_release release;
        solve(out.get());
    }
    return own_array(std::move(out), {count});
}

// Plays and pieces together: those of one slice.
struct Slice {
    ContactPlays plays;
    ContactPieces pieces;
    Slice(const Rules& rules, int checkers, int against) : plays(rules, checkers, against), pieces(plays) {}
    Slice(const Rules& rules, int checkers, int against, const Words& spans, const Words& replies)
        : plays(rules, checkers, against, as_span<ContactPlays::Span>(spans), as_span<ContactPlays::Reply>(replies)), pieces(plays) {}
    std::size_t states() const { return static_cast<std::size_t>(plays.states()); }
};

}  // namespace

void bind_contact_pieces(nb::module_& module) {
    nb::class_<Slice>(module, "ContactPieces")
        .def(
            "__init__",
            [](Slice* self, const Rules& rules, int checkers, int against) {
                nb::gil_scoped_release release;
                new (self) Slice(rules, checkers, against);
            },
            "rules"_a, "checkers"_a, "against"_a)
        .def(
            "__init__",
            [](Slice* self, const Rules& rules, int checkers, int against, Words spans, Words replies) {
                nb::gil_scoped_release release;
                new (self) Slice(rules, checkers, against, spans, replies);
            },
            "rules"_a, "checkers"_a, "against"_a, "spans"_a.noconvert(), "replies"_a.noconvert(), nb::keep_alive<1, 5>(),
            nb::keep_alive<1, 6>())
        .def_prop_ro("size", [](const Slice& self) { return self.plays.size(); })
        .def_prop_ro("few", [](const Slice& self) { return self.plays.few(); })
        .def_prop_ro("states", &Slice::states)
        .def_prop_ro("stripes", [](const Slice& self) { return self.pieces.stripes(); })
        .def_prop_ro("blocks", [](const Slice& self) { return self.pieces.blocks(); })
        .def_prop_ro_static("max_changes", [](nb::handle) { return std::vector<double>{kMaxValuesChange, kMaxProbabilityChange}; })
        .def("spans", [](const Slice& self) { return as_words(self.plays.all_spans()); }, nb::rv_policy::reference_internal)
        .def("replies", [](const Slice& self) { return as_words(self.plays.all_replies()); }, nb::rv_policy::reference_internal)
        .def(
            "lost_values",
            [](const Slice& self) {
                return nb::ndarray<nb::numpy, const double>(self.pieces.lost_values().data(), {self.pieces.lost_values().size()});
            },
            nb::rv_policy::reference_internal)
        .def(
            "lost_probabilities",
            [](const Slice& self) {
                const std::vector<float>& found = self.pieces.lost_probabilities();
                return nb::ndarray<nb::numpy, const float>(found.data(), {found.size()});
            },
            nb::rv_policy::reference_internal)
        .def(
            "sources",
            [](const Slice& self, std::uint32_t them) {
                check(self.pieces, 0, them);
                return self.pieces.sources(them);
            },
            "them"_a)
        .def(
            "values",
            [](const Slice& self, std::uint32_t us, std::uint32_t them, const std::vector<Array<double>>& values) {
                check(self.pieces, us, them);
                const std::size_t cell = self.states() * kContactHolders;
                const std::vector<const double*> tiles = checked<double>(self.pieces, us, them, values, cell);
                return filled<double>(self.pieces.pairs(us, them) * cell,
                                      [&](double* out) { self.pieces.values(us, them, tiles, out); });
            },
            "us"_a, "them"_a, "values"_a)
        .def(
            "probabilities",
            [](const Slice& self, std::uint32_t us, std::uint32_t them, const std::vector<Array<double>>& values,
               const std::vector<Array<float>>& probabilities) {
                check(self.pieces, us, them);
                const std::size_t cell = self.states() * kMaxProbabilities;
                const std::vector<const double*> tiles = checked<double>(self.pieces, us, them, values, self.states() * kContactHolders);
                const std::vector<const float*> others = checked<float>(self.pieces, us, them, probabilities, cell);
                return filled<float>(self.pieces.pairs(us, them) * cell,
                                     [&](float* out) { self.pieces.probabilities(us, them, tiles, others, out); });
            },
            "us"_a, "them"_a, "values"_a, "probabilities"_a);
}

}  // namespace barpoint
