/// The devices of this process: whether they can be used, and what kernels and choices ask of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/engine.h"
#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

struct DeviceTraits {
  int capability = 0;  ///< compute capability, 10 x major + minor: 90 for an H200
  /// The capability that the code which runs there was made for: a smaller one where the driver has compiled
  /// the PTX of an older one.
  int codeFor = 0;
  int multiprocessors = 0;
  std::size_t mostShared = 0;  ///< bytes of shared memory that a thread block can have

  bool hasClusters() const { return codeFor >= 90; }
  bool operator==(const DeviceTraits&) const = default;
};

/// Whether CUDA can be used: a driver that is new enough, a device, code of this build that runs there,
/// memory for it, and no error that stays until the program is restarted. Else one sentence. Of the device
/// that this thread's calls are about, as all that follows.
Support deviceState();
Support deviceState(int device);
/// Whether `deviceState` was asked before, which sets the device up.
bool deviceIsUp(int device);

/// Devices of one kind give the same bytes. Nothing is set up to find out.
struct DeviceKind {
  std::string name;
  int capability = 0;
  int multiprocessors = 0;
  std::size_t mostShared = 0;
  bool operator==(const DeviceKind&) const = default;
};
DeviceKind kindOf(int device);

/// `deviceState`, and whether the device has Hopper's matrix instructions (compute capability 9.0 alone) and
/// the build has code for it: with older code launches have no clusters.
Support hopperState();

/// Errors  Error{Unsupported} with the sentence of `deviceState`
DeviceTraits deviceTraits();

/// "; not run yet on compute capability 8.6 by its makers": for a device of a kind that no test has run on.
/// Else empty.
std::string notTried();

/// For tests: as if every device had these (no more than it has); its own again with none. What is found out
/// once is found out again.
void pretendDevice(const std::optional<DeviceTraits>& traits);

}  // namespace bankside::cuda
