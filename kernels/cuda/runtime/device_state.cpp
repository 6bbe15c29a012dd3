#include "kernels/cuda/runtime/device_state.h"

#include "kernels/cuda/runtime/current_device.h"

namespace bankside::cuda {

Support deviceState() { return deviceState(currentDevice()); }

DeviceTraits deviceTraits() { return traitsOf(currentDevice()); }

std::string notTried() {
  if (!deviceState()) return {};
  const int capability = deviceTraits().capability;
  if (capability == 90) return {};
  return "; not run yet on compute capability " + versionOf(capability) + " by its makers";
}

Support hopperState() {
  if (Support state = deviceState(); !state) return state;
  const DeviceTraits traits = deviceTraits();
  if (traits.capability == 90 && traits.codeFor >= 90) return Support::yes();
  return Support::no(
      "the tensor-core kernel needs a GPU of compute capability 9.0 (Hopper), and code for it in this build");
}

}  // namespace bankside::cuda
