/// The engines whose plans work on device memory, for the library.
#pragma once

#include "core/maps/map_maker.h"
#include "kernels/engine_list.h"

namespace bankside {

/// The planner first, then those that it picks from, each a DeviceEngine; none in a build without nvcc.
EngineList makeDeviceEngines();

/// Whether there is a device to make plans for.
Support deviceEnginesAvailable();

/// What comes into `later` from now on waits for what is in `earlier` now; cudaStream_t both.
/// Errors  Error{Unsupported} without a device; Error{Device}
void orderStreams(void* earlier, void* later);

/// Where the maps between banks of that engine stay; null: in host memory, as the engine is none of ours on a
/// device.
std::unique_ptr<MapMaker> makeMapMaker(const Engine& engine);

}  // namespace bankside
