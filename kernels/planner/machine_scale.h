/// What kind of machine this is, and how fast against those that the path costs were measured on.
#pragma once

#include "kernels/highway/row_kernels.h"
#include "kernels/planner/path_choice.h"

namespace bankside::planner {

/// Known of the processor, or measured once a process in less than a millisecond.
const MachineKind& machineKind();

/// Factor on predicted times: measured once a process, in about a millisecond, by multiply-adds in registers.
/// Scales all paths alike, so it has no say in which is chosen.
double machineScale();

/// The same of those kernels by another clock, in seconds.
double measuredScale(const direct::RowKernels& kernels, const MachineKind& kind, double (*now)());

}  // namespace bankside::planner
