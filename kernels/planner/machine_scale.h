/// How fast this machine is against the one that the path costs were measured on.
#pragma once

namespace bankside::planner {

/// Factor on predicted times: measured once a process, in about a millisecond, by multiply-adds in registers.
/// Scales all paths alike, so it has no say in which is chosen.
double machineScale();

}  // namespace bankside::planner
