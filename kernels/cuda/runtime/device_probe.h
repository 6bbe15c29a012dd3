/// What is found out about a device, once: whether it can be used, what it is, what kernels ask of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/engine.h"

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

/// "9.0" for 90.
std::string versionOf(int capability);

/// Whether it can be used: a driver that is new enough, a device, code of this build that runs there, memory
/// for it, and no error that stays until the program is restarted. Else one sentence. Sets the device up.
Support deviceState(int device);
/// Whether that was asked before.
bool deviceIsUp(int device);
/// Errors  Error{Unsupported} with the sentence of `deviceState`
DeviceTraits traitsOf(int device);

/// Devices of one kind give the same bytes. Nothing is set up to find out.
struct DeviceKind {
  std::string name;
  int capability = 0;
  int multiprocessors = 0;
  std::size_t mostShared = 0;
  bool operator==(const DeviceKind&) const = default;
};
DeviceKind kindOf(int device);

/// For tests: as if every device had these (no more than it has); its own again with none. What is found out
/// once is found out again.
void pretendDevice(const std::optional<DeviceTraits>& traits);

}  // namespace bankside::cuda
