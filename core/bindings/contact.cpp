// Tables of whole games, as src/barpoint/engine/contact.py calls them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bindings/bindings.hpp"
#include "tables/contact.hpp"
#include "tables/contact_solver.hpp"
#include "tables/exact_tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {

namespace {

using Floats = nb::ndarray<const float, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using FloatsOut = nb::ndarray<nb::numpy, const float>;
using DoublesOut = nb::ndarray<nb::numpy, const double>;
using ProgressTuple = std::tuple<std::string, int, std::uint32_t, double, double>;

const char* name_of(ContactSolver::Stage stage) {
    return stage == ContactSolver::Stage::values ? "values" : stage == ContactSolver::Stage::probabilities ? "probabilities" : "done";
}

ContactSolver::Stage stage_of(const std::string& name) {
    if (name == "values") return ContactSolver::Stage::values;
    if (name == "probabilities") return ContactSolver::Stage::probabilities;
    if (name == "done") return ContactSolver::Stage::done;
    throw std::invalid_argument("a table is made in the stages values, probabilities and done");
}

int checked_state(int state, int states) {
    if (state < 0 || state >= states) throw nb::index_error("no such token state in this table");
    return state;
}

// The numbers of both sides of a position in which the game goes on.
std::pair<std::uint32_t, std::uint32_t> indices(nb::bytes bytes, int checkers) {
    const Position position = position_from(bytes);
    const std::int64_t us = configuration_index(position.us, checkers, kContactPoints);
    const std::int64_t them = configuration_index(position.them, checkers, kContactPoints);
    if (us <= 0 || them <= 0) throw nb::index_error("no such position in this table");
    return {static_cast<std::uint32_t>(us), static_cast<std::uint32_t>(them)};
}

std::pair<std::uint32_t, std::uint32_t> indices(nb::bytes bytes, const ContactSolver& solver) {
    const auto found = indices(bytes, solver.checkers());
    if (!solver.plays().holds(found.first, found.second)) throw nb::index_error("no such position in this slice");
    return found;
}

std::vector<double> as_list(const ContactEquities& equities) { return {equities.begin(), equities.end()}; }

void bind_solver(nb::module_& module) {
    nb::class_<ContactSolver>(module, "ContactSolver")
        .def(
            "__init__",
            [](ContactSolver* self, const Rules& rules, int checkers, int against) {
                nb::gil_scoped_release release;
                new (self) ContactSolver(rules, checkers, against ? against : checkers);
            },
            "rules"_a, "checkers"_a, "against"_a = 0)
        .def_prop_ro("checkers", &ContactSolver::checkers)
        .def_prop_ro("against", &ContactSolver::against)
        .def_prop_ro("pairs", &ContactSolver::pairs)
        .def_prop_ro("size", &ContactSolver::size)
        .def_prop_ro("states", &ContactSolver::states)
        .def_prop_ro("complete", &ContactSolver::complete)
        .def_prop_ro("progress",
                     [](const ContactSolver& self) {
                         const ContactSolver::Progress p = self.progress();
                         return ProgressTuple(name_of(p.stage), p.sweep, p.done, p.change, p.last_change);
                     })
        .def(
            "advance",
            [](ContactSolver& self, std::uint32_t count, int threads) {
                if (threads < 1 || threads > 256) throw std::invalid_argument("1 to 256 threads");
                nb::gil_scoped_release release;
                self.advance(count, threads);
            },
            "count"_a, "threads"_a)
        .def(
            "resume",
            [](ContactSolver& self, const ProgressTuple& p, Doubles values, Floats probabilities) {
                self.resume({stage_of(std::get<0>(p)), std::get<1>(p), std::get<2>(p), std::get<3>(p), std::get<4>(p)}, values.data(),
                            values.shape(0), probabilities.data(), probabilities.shape(0));
            },
            "progress"_a, "values"_a.noconvert(), "probabilities"_a.noconvert())
        .def(
            "values", [](const ContactSolver& self) { return DoublesOut(self.values().data(), {self.values().size()}); },
            nb::rv_policy::reference_internal)
        .def(
            "probabilities", [](const ContactSolver& self) { return FloatsOut(self.probabilities().data(), {self.probabilities().size()}); },
            nb::rv_policy::reference_internal)
        .def(
            "equities",
            [](const ContactSolver& self, nb::bytes position, int state) {
                const auto [us, them] = indices(position, self);
                const double* found = self.at(us, them, checked_state(state, self.states()));
                return std::vector<double>(found, found + kContactHolders);
            },
            "position"_a, "state"_a)
        .def(
            "roll_equity",
            [](const ContactSolver& self, nb::bytes position, int row) {
                const auto [us, them] = indices(position, self);
                if (row < 0 || row >= self.rows()) throw nb::index_error("no such row in the table of rolls");
                return self.row_equity(us, them, row);
            },
            "position"_a, "row"_a)
        .def(
            "row",
            [](const ContactSolver& self, std::uint32_t us) {
                if (us >= self.size()) throw nb::index_error("no such configuration");
                if (!self.complete()) throw std::invalid_argument("the table is not finished");
                const std::size_t count = static_cast<std::size_t>(self.size()) * static_cast<std::size_t>(self.states()) * kContactCell;
                auto out = std::make_unique<float[]>(count);
                self.row(us, out.get());
                float* raw = out.release();
                nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<float*>(p); });
                return nb::ndarray<nb::numpy, float>(raw, {count}, owner);
            },
            "us"_a);
}

}  // namespace

void bind_contact(nb::module_& module) {
    bind_solver(module);
    nb::class_<Contact>(module, "Contact")
        .def(
            "__init__",
            [](Contact* self, const Rules& rules, int checkers, Floats values) {
                new (self) Contact(rules, checkers, values.data(), values.shape(0));
            },
            "rules"_a, "checkers"_a, "values"_a.noconvert(), nb::keep_alive<1, 4>())
        .def_prop_ro("checkers", &Contact::checkers)
        .def_prop_ro("size", &Contact::size)
        .def_prop_ro("states", &Contact::states)
        .def(
            "probabilities",
            [](const Contact& self, nb::bytes position, int state) {
                const float* cell = self.find(position_from(position));
                if (!cell) throw nb::index_error("no such position in this table");
                cell += static_cast<std::size_t>(checked_state(state, self.states())) * kContactCell;
                return std::vector<float>(cell, cell + kMaxProbabilities);
            },
            "position"_a, "state"_a)
        .def(
            "equities",
            [](const Contact& self, nb::bytes position, int state) {
                const float* cell = self.find(position_from(position));
                if (!cell) throw nb::index_error("no such position in this table");
                return as_list(self.equities(cell + static_cast<std::size_t>(checked_state(state, self.states())) * kContactCell));
            },
            "position"_a, "state"_a)
        .def(
            "rolling",
            [](const Contact& self, nb::bytes bytes, int state) {
                const Position position = position_from(bytes);
                if (!self.find(position)) throw nb::index_error("no such position in this table");
                return as_list(self.rolling(position)[static_cast<std::size_t>(checked_state(state, self.states()))]);
            },
            "position"_a, "state"_a);
    module.def(
        "use_games",
        [](const Rules& rules, int checkers, Floats values) {
            // Searches of other threads may be asking the table when Python's objects are gone: it is never given back.
            auto held = std::make_unique<Floats>(values);
            Tables::of(rules)->use(std::make_shared<const Contact>(rules, checkers, held->data(), held->shape(0)));
            held.release();
        },
        "rules"_a, "checkers"_a, "values"_a.noconvert());
    module.def(
        "contact_values", [](const Rules& rules, int checkers) { return Contact::count(rules, checkers); }, "rules"_a, "checkers"_a);
}

}  // namespace barpoint
