/// The engines whose plans work on device memory, for the library.
#pragma once

#include "kernels/engine_list.h"

namespace bankside {

/// The planner first, then those that it picks from, each a DeviceEngine; none in a build without nvcc.
EngineList makeDeviceEngines();

/// Whether there is a device to make plans for.
Support deviceEnginesAvailable();

}  // namespace bankside
