// Bear-off tables, as src/barpoint/engine/bearoff.py calls them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <stdexcept>

#include "bindings/bindings.hpp"
#include "tables/bearoff_one_sided.hpp"
#include "tables/bearoff_two_sided.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {

namespace {

using Doubles = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using DoublesOut = nb::ndarray<nb::numpy, const double>;

std::uint32_t checked_index(std::int64_t index, int checkers) {
    if (index < 0 || index >= home_count(checkers)) throw nb::index_error("no such position in this table");
    return static_cast<std::uint32_t>(index);
}

int checked_most(int most) {
    if (most < 1 || most > kMaxHome) throw std::invalid_argument("tables have 1 to 15 checkers a side");
    return most;
}

std::vector<double> as_list(Turns turns) { return {turns.chances, turns.chances + turns.count}; }

Turns turns_of(Doubles chances) { return {chances.data(), chances.shape(0)}; }

void bind_one_sided(nb::module_& module) {
    nb::class_<OneSided>(module, "OneSided")
        .def(
            "__init__",
            [](OneSided* self, const Rules& rules, int checkers) {
                nb::gil_scoped_release release;
                new (self) OneSided(rules, checkers);
            },
            "rules"_a, "checkers"_a)
        .def_prop_ro("checkers", &OneSided::checkers)
        .def(
            "means", [](const OneSided& self) { return DoublesOut(self.means().data(), {self.means().size()}); },
            nb::rv_policy::reference_internal)
        .def("turns", [](const OneSided& self, std::int64_t i) { return as_list(self.turns(checked_index(i, self.checkers()))); }, "index"_a)
        .def("first", [](const OneSided& self, std::int64_t i) { return as_list(self.first(checked_index(i, self.checkers()))); }, "index"_a);
    module.def("race", [](Doubles us, Doubles them) { return race(turns_of(us), turns_of(them)); }, "us"_a, "them"_a);
    module.def("mean_pips", &mean_pips, "rules"_a);
    module.def(
        "home_index", [](nb::bytes position, int most) { return home_index(position_from(position).us, checked_most(most)); },
        "position"_a, "most"_a);
    module.def(
        "home_counts",
        [](std::int64_t index) {
            const Side side = home_side(checked_index(index, kMaxHome), kMaxHome);
            return std::vector<int>(side.points + 1, side.points + 1 + kHomePoints);
        },
        "index"_a);
}

void bind_two_sided(nb::module_& module) {
    nb::class_<TwoSided>(module, "TwoSided")
        .def(nb::init<const Rules&, int>(), "rules"_a, "checkers"_a)
        .def_prop_ro("checkers", &TwoSided::checkers)
        .def_prop_ro("size", &TwoSided::size)
        .def_prop_ro("states", &TwoSided::states)
        .def_prop_ro("done", &TwoSided::done)
        .def("advance", &TwoSided::advance, "count"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("fill", [](TwoSided& self, Doubles values) { self.fill(values.data(), values.shape(0)); }, "values"_a.noconvert())
        .def(
            "values",
            [](const TwoSided& self) {
                const std::size_t size = self.size(), states = static_cast<std::size_t>(self.states());
                return DoublesOut(self.values().data(), {size, size, states, TwoSided::kHolders});
            },
            nb::rv_policy::reference_internal)
        .def(
            "rolling",
            [](const TwoSided& self, std::int64_t us, std::int64_t them, int state) {
                if (state < 0 || state >= self.states()) throw nb::index_error("no such token state in this table");
                const std::uint32_t one = checked_index(us, self.checkers()), two = checked_index(them, self.checkers());
                if (!one || !two) throw nb::index_error("a side has borne off everything");
                const auto found = self.rolling(one, two)[static_cast<std::size_t>(state)];
                return std::vector<double>(found.begin(), found.end());
            },
            "us"_a, "them"_a, "state"_a);
}

}  // namespace

void bind_bearoff(nb::module_& module) {
    bind_one_sided(module);
    bind_two_sided(module);
}

}  // namespace barpoint
