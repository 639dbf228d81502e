// The one module that Python sees.
#include "bindings/bindings.hpp"

NB_MODULE(_core, module) {
    module.doc() = "Barpoint's compiled core";
    barpoint::bind_moves(module);
    barpoint::bind_engine(module);
    barpoint::bind_bearoff(module);
    barpoint::bind_rollout(module);
    barpoint::bind_contact(module);
}
