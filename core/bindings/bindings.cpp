// The one module that Python sees.
#include "bindings/bindings.hpp"

NB_MODULE(_core, module) {
    module.doc() = "Barpoint's compiled core";
    nanobind::set_leak_warnings(false);  // threads and caches hold nets and searches until the process ends
    barpoint::bind_moves(module);
    barpoint::bind_batch(module);
    barpoint::bind_nets(module);
    barpoint::bind_cube(module);
    barpoint::bind_search(module);
    barpoint::bind_training(module);
    barpoint::bind_bearoff(module);
    barpoint::bind_rollout(module);
    barpoint::bind_contact(module);
    barpoint::bind_contact_pieces(module);
}
