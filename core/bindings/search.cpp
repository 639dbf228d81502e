// Searches: positions and plays valued by a net and tables, some plies ahead. Positions are [n, 64] bytes, figures
// [n, heads, figures] floats (rules/payout.hpp).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/cube.hpp"
#include "search/appraisal.hpp"
#include "search/cube.hpp"
#include "search/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {
namespace {

// A search that keeps what it searches with.
struct Searcher {
    std::shared_ptr<const Rules> rules;
    std::shared_ptr<const Net> net, pruner;
    Search search;
    std::mutex busy;  // its scratch serves one thread at a time, and callers may share it
    Searcher(const Rules& r, std::shared_ptr<const Net> n, bool tables, std::shared_ptr<const Net> p, int threads)
        : rules(std::make_shared<Rules>(r)), net(std::move(n)), pruner(std::move(p)),
          search(*rules, net.get(), tables ? Tables::of(r) : nullptr, pruner.get()) {
        if (threads < 1 || threads > 1024) throw std::invalid_argument("threads are 1 to 1024");
        search.share(threads);
    }

    Position checked(const std::uint8_t* bytes) const {
        Position position;
        std::memcpy(&position, bytes, sizeof position);
        if (const std::string why = complaint(*rules, position); !why.empty()) throw std::invalid_argument(why);
        return position;
    }
    Searcher(const Searcher&) = delete;

    int figures() const { return search.payout().figures(); }
};

// What both sides play for; nothing for points.
std::optional<Scales> scales_of(const Searcher& self, const Stakes* stakes) {
    if (!stakes) return std::nullopt;
    Appraisal appraisal(*self.rules);
    appraisal.set(*stakes);
    return appraisal.scales();
}

nb::object evaluate(Searcher& self, Bytes2 positions, int plies, const Stakes* stakes) {
    const std::size_t count = positions.shape(0), heads = self.search.heads(), figures = self.figures();
    checked_plies(plies);
    std::vector<Position> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = self.checked(positions.data() + 64 * i);
    std::unique_ptr<float[]> out(new float[count * heads * figures]);
    {
        nb::gil_scoped_release release;
        const std::lock_guard lock(self.busy);
        std::vector<Values> found(count);
        self.search.value_by(scales_of(self, stakes));
        self.search.evaluate_all(all.data(), count, plies, found.data());
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t h = 0; h < heads; ++h) {
                std::copy_n(found[i][h].begin(), figures, out.get() + (i * heads + h) * figures);
            }
        }
    }
    return own_array(std::move(out), {count, heads, figures});
}

Position checked_position(const Searcher& self, const nb::bytes& bytes) {
    if (bytes.size() != 64) throw std::invalid_argument("a position is 64 bytes");
    return self.checked(reinterpret_cast<const std::uint8_t*>(bytes.c_str()));
}

// The cube as it is used down the tree; nothing in games without one.
std::optional<CubeTree> tree_of(const Searcher& self, const Stakes& stakes, const Life& life, int plies) {
    if (!stakes.in_play) return std::nullopt;
    return CubeTree(self.search.payout(), stakes, cube_life_of(life), plies);
}

std::vector<Candidate> look_at_candidates(Searcher& self, const Position& position, int row, int plies, const Stakes* stakes,
                                          const std::optional<CubeTree>& cube) {
    if (row < 0 || row >= static_cast<int>(self.rules->rows.size())) throw std::invalid_argument("no such row");
    checked_plies(plies);
    std::vector<Candidate> found;
    nb::gil_scoped_release release;
    const std::lock_guard lock(self.busy);
    self.search.value_by(scales_of(self, stakes), cube);
    self.search.candidates(position, row, plies, found);
    return found;
}

nb::tuple packed(const Searcher& self, const std::vector<Candidate>& found) {
    const std::size_t count = found.size(), heads = self.search.heads(), figures = self.figures();
    std::unique_ptr<std::uint8_t[]> results(new std::uint8_t[count * 64]);
    std::unique_ptr<bool[]> again(new bool[count]), ended(new bool[count]), deep(new bool[count]);
    std::unique_ptr<float[]> values(new float[count * heads * figures]);
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(results.get() + 64 * i, &found[i].result, 64);
        again[i] = found[i].again;
        ended[i] = found[i].ended;
        deep[i] = found[i].deep;
        for (std::size_t h = 0; h < heads; ++h) {
            std::copy_n(found[i].values[h].begin(), figures, values.get() + (i * heads + h) * figures);
        }
    }
    return nb::make_tuple(own_array(std::move(results), {count, 64}), own_array(std::move(again), {count}),
                          own_array(std::move(ended), {count}), own_array(std::move(deep), {count}),
                          own_array(std::move(values), {count, heads, figures}));
}

nb::tuple candidates(Searcher& self, nb::bytes bytes, int row, int plies, const Stakes* stakes) {
    return packed(self, look_at_candidates(self, checked_position(self, bytes), row, plies, stakes, std::nullopt));
}

// As candidates(), and [n, heads] what the plays are worth to the mover, with the cube in play where there is one.
nb::tuple worths(Searcher& self, nb::bytes bytes, int row, int plies, const Stakes& stakes, const Life& life) {
    const Position position = checked_position(self, bytes);
    const std::optional<CubeTree> tree = tree_of(self, stakes, life, checked_plies(plies));
    const std::vector<Candidate> found = look_at_candidates(self, position, row, plies, &stakes, tree);
    const std::size_t count = found.size(), heads = self.search.heads();
    const CubeLadder ladder(self.search.payout(), stakes);
    std::unique_ptr<double[]> worth(new double[count * heads]);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t h = 0; h < heads; ++h) {
            worth[i * heads + h] = tree ? found[i].worth[h] : cube_values(ladder, found[i].values[h], 0).no_double;
        }
    }
    return nb::make_tuple(packed(self, found), own_array(std::move(worth), {count, heads}));
}

// [heads, figures] the position before the roll, [heads, 5] as cubes().
nb::tuple cube_decision(Searcher& self, nb::bytes bytes, int plies, const Stakes& stakes, const Life& life) {
    const Position position = checked_position(self, bytes);
    const std::optional<CubeTree> tree = tree_of(self, stakes, life, checked_plies(plies));
    const std::size_t heads = self.search.heads(), figures = self.figures();
    std::unique_ptr<float[]> values(new float[heads * figures]);
    std::unique_ptr<double[]> out(new double[heads * kCubeColumns]);
    {
        nb::gil_scoped_release release;
        const std::lock_guard lock(self.busy);
        self.search.value_by(scales_of(self, &stakes), tree);
        Values found;
        PlacedHeads rolling = {};
        if (tree) {
            self.search.evaluate(position, plies, found, rolling);
        } else {
            self.search.evaluate(position, plies, found);
        }
        for (std::size_t h = 0; h < heads; ++h) {
            std::copy_n(found[h].begin(), figures, values.get() + h * figures);
            put(tree ? tree->decision(found[h], position, rolling[h]) : cube_values(self.search.payout(), found[h], stakes, 0),
                out.get() + h * kCubeColumns);
        }
    }
    return nb::make_tuple(own_array(std::move(values), {heads, figures}), own_array(std::move(out), {heads, kCubeColumns}));
}

// [rows, heads]: equity of the best play of every roll; the mean over the rolls is the position's value.
nb::object rolls(Searcher& self, nb::bytes bytes, int plies) {
    const Position position = checked_position(self, bytes);
    checked_plies(plies);
    const std::size_t rows = self.rules->rows.size(), heads = self.search.heads();
    std::unique_ptr<float[]> out(new float[rows * heads]);
    {
        nb::gil_scoped_release release;
        const std::lock_guard lock(self.busy);
        Best best;
        self.search.value_by(std::nullopt);
        for (std::size_t row = 0; row < rows; ++row) {
            self.search.best(position, static_cast<int>(row), plies, best);
            std::copy_n(best.equity.begin(), heads, out.get() + row * heads);
        }
    }
    return own_array(std::move(out), {rows, heads});
}

}  // namespace

void bind_search(nb::module_& module) {
    nb::class_<Searcher>(module, "Searcher")
        .def(
            "__init__",
            [](Searcher* self, const Rules& rules, const Net* net, bool tables, const Net* pruner, int threads) {
                const auto copy = [](const Net* one) { return one ? std::make_shared<Net>(*one) : nullptr; };
                new (self) Searcher(rules, copy(net), tables, copy(pruner), threads);
            },
            "rules"_a, "net"_a.none(), "tables"_a = false, "pruner"_a.none() = nb::none(), "threads"_a = 1)
        .def_prop_ro("heads", [](const Searcher& self) { return self.search.heads(); })
        .def("evaluate", &evaluate, "positions"_a.noconvert(), "plies"_a, "stakes"_a.none() = nb::none())
        .def("candidates", &candidates, "position"_a, "row"_a, "plies"_a, "stakes"_a.none() = nb::none())
        .def("worths", &worths, "position"_a, "row"_a, "plies"_a, "stakes"_a, "life"_a)
        .def("cube", &cube_decision, "position"_a, "plies"_a, "stakes"_a, "life"_a)
        .def("rolls", &rolls, "position"_a, "plies"_a);
}

}  // namespace barpoint
