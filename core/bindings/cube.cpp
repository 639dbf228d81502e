// Stakes and the cube: values of its actions, market windows, races that tables know.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/cube.hpp"
#include "search/cube.hpp"
#include "tables/exact_tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {
namespace {

Probabilities probabilities_at(const Payout& payout, const Floats2& probabilities, std::size_t i) {
    if (probabilities.shape(1) != static_cast<std::size_t>(payout.columns())) throw std::invalid_argument("not the probabilities of these rules");
    Probabilities f = {};
    std::copy_n(probabilities.data() + i * probabilities.shape(1), probabilities.shape(1), f.begin());
    return f;
}

Stakes make_stakes(std::vector<double> won, std::vector<double> lost, double cube, int owner, bool in_play, bool jacoby,
                   bool beavers, bool may_double) {
    if (won.empty() != lost.empty() || won.size() == 1 || lost.size() == 1) {
        throw std::invalid_argument("both tables of a match score hold at least two chances; money has none");
    }
    if (cube < 1 || owner < -1 || owner > 1) throw std::invalid_argument("a cube is at least 1, its owner -1, 0 or 1");
    return {{std::move(won), std::move(lost)}, cube, owner, in_play, jacoby, beavers, may_double};
}

// [n, 5]: no double, double and take, double and pass, with best action, whether a beaver is the answer.
nb::object cubes(const Rules& rules, Floats2 probabilities, std::vector<double> efficiency, const Stakes& stakes) {
    const std::size_t count = probabilities.shape(0);
    if (efficiency.size() != count) throw std::invalid_argument("as many cube lives as rows of probabilities are needed");
    const Payout payout(rules);
    const CubeLadder ladder(payout, stakes);
    std::unique_ptr<double[]> out(new double[count * kCubeColumns]);
    for (std::size_t i = 0; i < count; ++i) {
        put(cube_values(ladder, probabilities_at(payout, probabilities, i), efficiency[i]), out.get() + i * kCubeColumns);
    }
    return own_array(std::move(out), {count, kCubeColumns});
}

// [n, 6]: with a cube for money, as CubeRace; rows of NaN where no exact table has the position.
nb::object cube_races(const Rules& rules, Bytes2 positions, int state, bool jacoby) {
    if (state < 0 || state >= kMaxTokenStates) throw std::invalid_argument("no such state of the tokens");
    const std::size_t count = positions.shape(0);
    const std::shared_ptr<const Tables> tables = Tables::of(rules);
    std::unique_ptr<double[]> out(new double[count * 6]);
    {
        nb::gil_scoped_release release;
        for (std::size_t i = 0; i < count; ++i) {
            Position position;
            std::memcpy(&position, positions.data() + 64 * i, sizeof position);
            const std::optional<CubeRace> race = tables->cube(position, state, jacoby);
            double* row = out.get() + i * 6;
            std::fill_n(row, 6, std::numeric_limits<double>::quiet_NaN());
            if (!race) continue;
            const double values[] = {race->cubeless, race->owned, race->centred, race->theirs, race->roll_owned, race->roll_centred};
            std::copy_n(values, 6, row);
        }
    }
    return own_array(std::move(out), {count, 6});
}

}  // namespace

void bind_cube(nb::module_& module) {
    module.def("cube_races", &cube_races, "rules"_a, "positions"_a.noconvert(), "state"_a, "jacoby"_a = false);
    nb::class_<Stakes>(module, "Stakes")
        .def(
            "__init__",
            [](Stakes* self, std::vector<double> won, std::vector<double> lost, double cube, int owner, bool in_play, bool jacoby,
               bool beavers, bool may_double) {
                new (self) Stakes(make_stakes(std::move(won), std::move(lost), cube, owner, in_play, jacoby, beavers, may_double));
            },
            nb::kw_only(), "won"_a, "lost"_a, "cube"_a, "owner"_a, "in_play"_a, "jacoby"_a, "beavers"_a, "may_double"_a)
        .def("flip", &Stakes::flip)
        .def("value", [](const Stakes& self, double points) { return self.point_values.of(points); }, "points"_a);
    module.def("cube_values", &cubes, "rules"_a, "probabilities"_a.noconvert(), "efficiency"_a, "stakes"_a);
    module.def(
        "market_window",
        [](const Rules& rules, Floats2 probabilities, double efficiency, const Stakes& stakes) {
            if (probabilities.shape(0) != 1) throw std::invalid_argument("one row of probabilities is needed");
            const Payout payout(rules);
            const MarketWindow found = market_window(payout, probabilities_at(payout, probabilities, 0), stakes, efficiency);
            return nb::make_tuple(found.take, found.redouble, found.cash, found.too_good);
        },
        "rules"_a, "probabilities"_a.noconvert(), "efficiency"_a, "stakes"_a);
    module.def(
        "cube_efficiency",
        [](nb::bytes bytes, EfficiencyTuple efficiency) {
            return cube_efficiency_from(efficiency).at(position_from(bytes));
        },
        "position"_a, "efficiency"_a);
}

}  // namespace barpoint
