// What bindings of nets, search and training share: arrays of positions and of numbers, as numpy has them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "rules/position.hpp"
#include "rules/step.hpp"

namespace barpoint {

using Bytes2 = nanobind::ndarray<const std::uint8_t, nanobind::shape<-1, 64>, nanobind::c_contig, nanobind::device::cpu>;
using Indices1 = nanobind::ndarray<const std::int64_t, nanobind::shape<-1>, nanobind::c_contig, nanobind::device::cpu>;
using Floats1 = nanobind::ndarray<const float, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Floats2 = nanobind::ndarray<const float, nanobind::shape<-1, -1>, nanobind::c_contig, nanobind::device::cpu>;
using Floats3 = nanobind::ndarray<const float, nanobind::shape<-1, -1, -1>, nanobind::c_contig, nanobind::device::cpu>;

// A numpy array that owns the data.
template <class T>
nanobind::object own_array(std::unique_ptr<T[]> data, std::initializer_list<std::size_t> shape) {
    T* raw = data.release();
    nanobind::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nanobind::ndarray<nanobind::numpy, T>(raw, shape, owner).cast();
}

// The search depth; ValueError outside 0 to 4.
inline int checked_plies(int plies) {
    constexpr int kMaxPlies = 4;
    if (plies < 0 || plies > kMaxPlies) throw std::invalid_argument("plies are 0 to 4");
    return plies;
}

// The number of threads; ValueError outside 1 to 1024.
inline int checked_threads(int threads) {
    if (threads < 1 || threads > 1024) throw std::invalid_argument(std::to_string(threads) + " threads; 1 to 1024 are allowed");
    return threads;
}

// Copies of [n, 64] bytes for a net, which knows no rules; ValueError where no rules have such a position.
inline std::vector<Position> read_positions(const Bytes2& positions) {
    std::vector<Position> all = copied(positions.data(), positions.shape(0));
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const Side& side : {all[i].us, all[i].them}) {
            if (const int checkers = side.total(); checkers > 15) {
                throw std::invalid_argument("position " + std::to_string(i) + ": " + std::to_string(checkers) + " checkers on a side; 0 to 15 are allowed");
            }
            if (side.pinned & ~kBoard) {
                throw std::invalid_argument("position " + std::to_string(i) + ": a pin off the board; points 1 to 24 are allowed");
            }
        }
    }
    return all;
}

}  // namespace barpoint
