/// The engines whose plans work on device memory, for the library.
#pragma once

#include "core/maps/map_maker.h"
#include "kernels/engine_list.h"

namespace bankside {

/// The planner first, then those that it picks from, each a DeviceEngine; none in a build without nvcc.
EngineList makeDeviceEngines();

/// Whether there is a device of that number to make plans for.
Support deviceEnginesAvailable(int device);

/// While it lives, engines and the plans that this thread asks them for are of that device.
class ForDevice {
 public:
  /// Errors  Error{Device}
  explicit ForDevice(int device);
  ~ForDevice();
  ForDevice(const ForDevice&) = delete;
  ForDevice& operator=(const ForDevice&) = delete;

 private:
  class Scope;
  std::unique_ptr<Scope> scope_;
};

/// What comes into `later` from now on waits for what is in `earlier` now; cudaStream_t both, of one device.
/// Errors  Error{Unsupported} without a device; Error{Device}
void orderStreams(void* earlier, void* later);

/// Where the maps between banks of our engines on devices stay: the devices in use. Null in a build without
/// nvcc.
const MapDevices* mapDevices();

}  // namespace bankside
