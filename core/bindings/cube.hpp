// The cube as it crosses between Python and the core.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <tuple>

#include "search/cube.hpp"

namespace barpoint {

using EfficiencyTuple = std::tuple<double, double, double>;  // with contact, in short races, in long ones

inline CubeEfficiency cube_efficiency_from(const EfficiencyTuple& efficiency, const CubeNet* net = nullptr) {
    const auto [contact, short_race, long_race] = efficiency;
    if (!std::isfinite(contact) || !std::isfinite(short_race) || !std::isfinite(long_race)) {
        throw std::invalid_argument("an efficiency of the cube is no number");
    }
    return {contact, short_race, long_race, net};
}

// A row of cube values: no double, double and take, double and pass, with the best action, whether a beaver is the answer.
inline constexpr std::size_t kCubeColumns = 5;

inline void put(const CubeValues& values, double* row) {
    const double columns[] = {values.no_double, values.double_take, values.double_pass, values.best(), values.beaver ? 1.0 : 0.0};
    std::copy_n(columns, kCubeColumns, row);
}

}  // namespace barpoint
