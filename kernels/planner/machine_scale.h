/// What kind of machine this is, and how fast against those that the path costs were measured on.
#pragma once

#include "kernels/planner/path_choice.h"

namespace bankside::planner {

/// Measured once a process, in less than a millisecond.
const MachineKind& machineKind();

/// Factor on predicted times: measured once a process, in about a millisecond, by multiply-adds in registers.
/// Scales all paths alike, so it has no say in which is chosen.
double machineScale();

}  // namespace bankside::planner
