#include "kernels/cuda/runtime/device_state.h"

#include <mutex>

#include "core/error.h"
#include "kernels/cuda/runtime/probe_kernel.h"

namespace bankside::cuda {
namespace {

std::string versionOf(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

struct Device {
  Support state = Support::yes();
  DeviceTraits traits;
};

Device refused(const std::string& sentence, cudaError_t error) {
  cudaGetLastError();
  return {Support::no(sentence + " (" + describe(error) + ")"), {}};
}

Device withoutDriver(cudaError_t error) {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  return refused(
      driver == 0 ? "no NVIDIA driver on this machine" : "the NVIDIA driver is too old for this build",
      error);
}

/// Why no kernel of this build runs there.
Device withoutCode(cudaError_t error, const std::string& name, int capability) {
  switch (error) {
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
      return refused("this build has no code for the " + name + " of compute capability " +
                         versionOf(capability) + ", it was compiled for " + compiledArchitectures(),
                     error);
    case cudaErrorUnsupportedPtxVersion:
      return refused("the NVIDIA driver is too old to compile this build's code for the " + name, error);
    case cudaErrorMemoryAllocation:
      return refused("the memory of the " + name + " is taken by other programs", error);
    default: return refused("the " + name + " does not run this build's code", error);
  }
}

Device probe() {
  int devices = 0;  // stays untouched where there is no driver
  cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaErrorInsufficientDriver || error == cudaErrorStubLibrary) return withoutDriver(error);
  if (error != cudaSuccess) return refused("no usable NVIDIA GPU on this machine", error);
  if (devices == 0) return {Support::no("no NVIDIA GPU on this machine"), {}};

  Device device;
  cudaDeviceProp properties{};
  int major = 0, minor = 0, shared = 0;
  if ((error = cudaGetDeviceProperties(&properties, 0)) != cudaSuccess ||
      (error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0)) != cudaSuccess ||
      (error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0)) != cudaSuccess ||
      (error = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0)) != cudaSuccess)
    return refused("no usable NVIDIA GPU on this machine", error);
  device.traits.capability = 10 * major + minor;
  device.traits.multiprocessors = properties.multiProcessorCount;
  device.traits.mostShared = static_cast<std::size_t>(shared);
  // Attributes are those on the current device, which a caller of the library may have chosen.
  int before = 0;
  if (cudaGetDevice(&before) != cudaSuccess || (before != 0 && cudaSetDevice(0) != cudaSuccess)) before = 0;
  cudaFuncAttributes attributes{};
  error = cudaFuncGetAttributes(&attributes, probeKernel());
  if (before != 0) cudaSetDevice(before);
  if (error != cudaSuccess) return withoutCode(error, properties.name, device.traits.capability);
  device.traits.codeFor = attributes.ptxVersion;
  return device;
}

std::mutex deviceMutex;
std::optional<Device> found;

Device& device() {
  if (!found) found = probe();
  return *found;
}

}  // namespace

Support deviceState() {
  {
    const std::lock_guard lock(deviceMutex);
    if (const Support& state = device().state; !state) return state;
  }
  const std::string lost = lostDevice();
  return lost.empty() ? Support::yes() : Support::no(lost);
}

DeviceTraits deviceTraits() {
  const std::lock_guard lock(deviceMutex);
  if (const Support& state = device().state; !state) throw Error(ErrorCode::Unsupported, state.reason);
  return device().traits;
}

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

void pretendDevice(const std::optional<DeviceTraits>& traits) {
  const std::lock_guard lock(deviceMutex);
  found.reset();
  forgetLostDevice();
  if (traits && device().state) device().traits = *traits;
}

}  // namespace bankside::cuda
