// What bindings of nets, search and training share: arrays of positions and of numbers, as numpy has them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>

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

}  // namespace barpoint
