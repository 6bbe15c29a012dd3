#include "kernels/cuda/runtime/device_probe.h"

#include <map>
#include <mutex>

#include "core/error.h"
#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/cuda/runtime/probe_kernel.h"

namespace bankside::cuda {
namespace {

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

cudaError_t describeKind(int device, DeviceKind& kind) {
  cudaDeviceProp properties{};
  int major = 0, minor = 0, shared = 0;
  cudaError_t error = cudaSuccess;
  if ((error = cudaGetDeviceProperties(&properties, device)) != cudaSuccess ||
      (error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device)) != cudaSuccess ||
      (error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device)) != cudaSuccess ||
      (error = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)) !=
          cudaSuccess)
    return error;
  kind = {properties.name, 10 * major + minor, properties.multiProcessorCount,
          static_cast<std::size_t>(shared)};
  return cudaSuccess;
}

Device probe(int number) {
  int devices = 0;  // stays untouched where there is no driver
  cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaErrorInsufficientDriver || error == cudaErrorStubLibrary) return withoutDriver(error);
  if (error != cudaSuccess) return refused("no usable NVIDIA GPU on this machine", error);
  if (devices == 0) return {Support::no("no NVIDIA GPU on this machine"), {}};

  Device device;
  DeviceKind kind;
  if ((error = describeKind(number, kind)) != cudaSuccess)
    return refused("no usable NVIDIA GPU on this machine", error);
  device.traits.capability = kind.capability;
  device.traits.multiprocessors = kind.multiprocessors;
  device.traits.mostShared = kind.mostShared;
  // Attributes are those on the current device, which a caller of the library may have chosen.
  int before = number;
  cudaGetDevice(&before);
  cudaFuncAttributes attributes{};
  error = before == number ? cudaSuccess : cudaSetDevice(number);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, probeKernel());
  if (before != number) cudaSetDevice(before);
  if (error != cudaSuccess) return withoutCode(error, kind.name, kind.capability);
  device.traits.codeFor = attributes.ptxVersion;
  return device;
}

std::mutex probing;
std::map<int, Device> probed;
std::map<int, DeviceKind> kinds;
std::optional<DeviceTraits> pretended;

/// With `probing`.
const Device& device(int number) {
  auto at = probed.find(number);
  if (at == probed.end()) {
    at = probed.emplace(number, probe(number)).first;
    if (pretended && at->second.state) at->second.traits = *pretended;
  }
  return at->second;
}

}  // namespace

std::string versionOf(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

Support deviceState(int number) {
  {
    const std::lock_guard lock(probing);
    if (const Support& state = device(number).state; !state) return state;
  }
  const std::string lost = lostDevice(number);
  return lost.empty() ? Support::yes() : Support::no(lost);
}

bool deviceIsUp(int number) {
  const std::lock_guard lock(probing);
  return probed.contains(number);
}

DeviceKind kindOf(int device) {
  const std::lock_guard lock(probing);
  const auto known = kinds.find(device);
  if (known != kinds.end()) return known->second;
  DeviceKind kind;
  if (describeKind(device, kind) == cudaSuccess) return kinds[device] = kind;
  cudaGetLastError();
  return {};
}

DeviceTraits traitsOf(int number) {
  const std::lock_guard lock(probing);
  const Device& there = device(number);
  if (!there.state) throw Error(ErrorCode::Unsupported, there.state.reason);
  return there.traits;
}

void pretendDevice(const std::optional<DeviceTraits>& traits) {
  const std::lock_guard lock(probing);
  probed.clear();
  kinds.clear();
  pretended = traits;
  forgetLostDevices();
}

}  // namespace bankside::cuda
