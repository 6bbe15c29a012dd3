#include "kernels/devices.h"

#include <algorithm>

#include "kernels/cuda/runtime/device_probe.h"
#include "kernels/cuda/runtime/devices_in_use.h"
#include "kernels/cuda/runtime/pinned_memory.h"

namespace bankside {

std::vector<DeviceLine> describeDevices() {
  std::vector<DeviceLine> lines;
  const std::vector<int> inUse = cuda::devicesInUse();
  const std::vector<cuda::LeftOut> leftOut = cuda::devicesLeftOut();
  for (int device = 0; device < cuda::visibleDevices(); ++device) {
    const cuda::DeviceKind kind = cuda::kindOf(device);
    Support use = cuda::deviceState(device);
    if (use && std::find(inUse.begin(), inUse.end(), device) == inUse.end()) {
      const auto out = std::find_if(leftOut.begin(), leftOut.end(),
                                    [&](const cuda::LeftOut& other) { return other.device == device; });
      use = Support::no(out == leftOut.end() ? "others were named" : out->why);
    }
    lines.push_back({cuda::nameOf(device),
                     kind.name + ", compute capability " + std::to_string(kind.capability / 10) + "." +
                         std::to_string(kind.capability % 10),
                     std::move(use)});
  }
  return lines;
}

bool seesDevices() { return cuda::visibleDevices() > 0; }

void useDevices(const std::vector<int>& devices) { cuda::useDevices(devices); }

void requireNamedDevices() { cuda::requireNamedDevices(); }

bool lostDevices() { return cuda::lostDevices(); }

ImageMemory* pinnedImages() {
  return cuda::deviceState(cuda::leadDevice()) ? &cuda::PinnedImages::get() : nullptr;
}

std::int64_t pinnedBytes() { return cuda::pinnedBytes(); }
std::int64_t pinnedBesideImages() { return cuda::pinnedBesideImages(); }

}  // namespace bankside
