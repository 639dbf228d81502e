// The kernel that this machine runs.
#pragma once

#include "kernels/kernel.hpp"

namespace barpoint {

// The fastest kernel of this machine, or the one that the environment variable BARPOINT_ISA names; chosen once.
// Raises std::invalid_argument when that one is unknown or this machine cannot run it.
const Kernel& kernel();

}  // namespace barpoint
