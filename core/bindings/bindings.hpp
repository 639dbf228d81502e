// What the files of the binding module share: each adds its part, and positions cross as 64 bytes.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "rules/position.hpp"
#include "rules/rules.hpp"

namespace barpoint {

void bind_moves(nanobind::module_& module);
void bind_batch(nanobind::module_& module);
void bind_nets(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_cube(nanobind::module_& module);
void bind_training(nanobind::module_& module);
void bind_bearoff(nanobind::module_& module);
void bind_rollout(nanobind::module_& module);
void bind_contact(nanobind::module_& module);
void bind_contact_pieces(nanobind::module_& module);

Position position_from(nanobind::bytes bytes);                              // ValueError unless 64 bytes
Position checked_position(const Rules& rules, nanobind::bytes bytes);       // ValueError unless the rules allow it
// IndexError for no row of the table, and for another one than is owed.
int checked_row(const Rules& rules, const Position& position, std::int64_t row);
nanobind::bytes position_bytes(const Position& position);

// Copies of 64 bytes each; an empty array has no data to copy.
inline std::vector<Position> copied(const std::uint8_t* bytes, std::size_t count) {
    std::vector<Position> all(count);
    if (count) std::memcpy(static_cast<void*>(all.data()), bytes, count * sizeof(Position));
    return all;
}

}  // namespace barpoint
