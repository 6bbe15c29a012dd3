/// The engines that compute over host memory.
#pragma once

#include "kernels/engine_list.h"

namespace bankside::library {

/// Made when somebody first asks, the planner first.
const EngineList& hostEngines();

}  // namespace bankside::library
