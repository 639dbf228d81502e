// Stakes and the cube: values of its actions, market windows, races that tables know.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
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
    if (!(cube >= 1) || !std::isfinite(cube) || owner < -1 || owner > 1) throw std::invalid_argument("a cube is at least 1, its owner -1, 0 or 1");
    for (const std::vector<double>* table : {&won, &lost}) {
        if (!std::all_of(table->begin(), table->end(), [](double chance) { return std::isfinite(chance); })) {
            throw std::invalid_argument("a chance at a match score is no number");
        }
    }
    return {{std::move(won), std::move(lost)}, cube, owner, in_play, jacoby, beavers, may_double};
}

// [n, 5]: no double, double and take, double and pass, with best action, whether a beaver is the answer.
nb::object cubes(const Rules& rules, Floats2 probabilities, std::vector<double> efficiency, const Stakes& stakes) {
    const std::size_t count = probabilities.shape(0);
    if (efficiency.size() != count) throw std::invalid_argument("as many cube efficiencies as rows of probabilities are needed");
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

template <class Array>
std::vector<float> numbers(const Array& array) {
    return {array.data(), array.data() + array.size()};
}

// Calls work(i, position, probabilities, sight) for each row.
template <class Work>
void each_row(const Bytes2& positions, const Floats2& probabilities, const Floats2& sights, Work&& work) {
    const std::size_t count = positions.shape(0);
    if (probabilities.shape(0) != count || probabilities.shape(1) != kMaxProbabilities) {
        throw std::invalid_argument("each position needs five probabilities");
    }
    if (sights.shape(0) != count || sights.shape(1) != kCubeSights) throw std::invalid_argument("each position needs what is at stake there");
    const std::vector<Position> all = read_positions(positions);
    for (std::size_t i = 0; i < count; ++i) {
        Probabilities seen = {};
        CubeSight sight;
        std::copy_n(probabilities.data() + i * kMaxProbabilities, kMaxProbabilities, seen.begin());
        std::memcpy(&sight, sights.data() + i * kCubeSights, sizeof sight);
        work(i, all[i], seen, sight);
    }
}

// [n, sights]: what a cube net is told of the stakes, as CubeSight.
nb::object cube_sights(const Rules& rules, Floats2 probabilities, const Stakes& stakes) {
    const Payout payout(rules);
    const CubeLadder ladder(payout, stakes);
    std::unique_ptr<float[]> out(new float[probabilities.shape(0) * kCubeSights]);
    for (std::size_t i = 0; i < probabilities.shape(0); ++i) {
        const Probabilities seen = probabilities_at(payout, probabilities, i);
        const CubeSight sight = Outlook(ladder, 0, seen).sight();
        std::memcpy(out.get() + i * kCubeSights, &sight, sizeof sight);
    }
    return own_array(std::move(out), {probabilities.shape(0), std::size_t{kCubeSights}});
}

// [n, 3] by place of the cube.
nb::object efficiencies(const CubeNet& net, Bytes2 positions, Floats2 probabilities, Floats2 sights) {
    constexpr std::size_t kColumns = CubeNet::kPlaces;
    std::unique_ptr<double[]> out(new double[positions.shape(0) * kColumns]);
    each_row(positions, probabilities, sights, [&](std::size_t i, const Position& position, const Probabilities& seen, const CubeSight& sight) {
        std::copy_n(net.evaluate(net.sums(position), seen, sight).begin(), kColumns, out.get() + i * kColumns);
    });
    return own_array(std::move(out), {positions.shape(0), kColumns});
}

// [n, inputs]: what a cube net sees.
nb::object cube_inputs(Bytes2 positions, Floats2 probabilities, Floats2 sights) {
    constexpr std::size_t kColumns = CubeNet::kInputs;
    std::unique_ptr<float[]> out(new float[positions.shape(0) * kColumns]);
    each_row(positions, probabilities, sights, [&](std::size_t i, const Position& position, const Probabilities& seen, const CubeSight& sight) {
        const std::array<float, kColumns> row = CubeNet::inputs(position, seen, sight);
        std::copy(row.begin(), row.end(), out.get() + i * kColumns);
    });
    return own_array(std::move(out), {positions.shape(0), kColumns});
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
            const CubeLadder ladder(payout, stakes);
            const MarketWindow found = market_window(ladder, probabilities_at(payout, probabilities, 0), efficiency, efficiency);
            return nb::make_tuple(found.take, found.redouble, found.cash, found.too_good);
        },
        "rules"_a, "probabilities"_a.noconvert(), "efficiency"_a, "stakes"_a);
    module.def(
        "cube_efficiency",
        [](nb::bytes bytes, EfficiencyTuple efficiency) {
            return cube_efficiency_from(efficiency).constant_at(position_from(bytes));
        },
        "position"_a, "efficiency"_a);
    nb::class_<CubeNet>(module, "CubeNet")
        .def(
            "__init__",
            [](CubeNet* self, Floats2 first, Floats1 first_bias, Floats2 second, Floats1 second_bias, Floats2 output, Floats1 output_bias) {
                new (self) CubeNet({numbers(first), numbers(first_bias), numbers(second), numbers(second_bias), numbers(output),
                                    numbers(output_bias)});
            },
            "first"_a.noconvert(), "first_bias"_a.noconvert(), "second"_a.noconvert(), "second_bias"_a.noconvert(),
            "output"_a.noconvert(), "output_bias"_a.noconvert())
        .def_static("parse", [](nb::bytes data) { return CubeNet::parse(std::string(data.c_str(), data.size())); }, "data"_a)
        .def("bytes", [](const CubeNet& self) {
            const std::string bytes = self.bytes();
            return nb::bytes(bytes.data(), bytes.size());
        })
        .def("evaluate", &efficiencies, "positions"_a.noconvert(), "probabilities"_a.noconvert(), "sights"_a.noconvert())
        .def_static("inputs", &cube_inputs, "positions"_a.noconvert(), "probabilities"_a.noconvert(), "sights"_a.noconvert());
    module.def("cube_sights", &cube_sights, "rules"_a, "probabilities"_a.noconvert(), "stakes"_a);
}

}  // namespace barpoint
