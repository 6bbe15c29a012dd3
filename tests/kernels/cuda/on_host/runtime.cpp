// The CUDA runtime that the engines are linked with here: device memory is host memory. Streams are
// late_streams.cpp's.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>

#include "kernels/cuda/runtime/device_state.h"
#include "tests/kernels/cuda/on_host/block.h"
#include "tests/kernels/cuda/on_host/cuda_runtime_api.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/kernels/cuda/on_host/late_streams.h"
#include "tests/kernels/cuda/on_host/shared_memory.h"

namespace bankside::on_host {
namespace {

/// 48 KB less the static shared memory of a kernel, which counts too.
constexpr std::size_t sharedWithoutAsking = 44 * 1024;
constexpr unsigned mostThreads = 1024;
constexpr unsigned mostBlocksBelow = 65535;
constexpr unsigned mostClusterBlocks = 8;
constexpr int poisonByte = 0xff;  // NaN

struct Kernel {
  Caller caller = nullptr;
  std::size_t sharedAllowed = sharedWithoutAsking;
};

std::map<const void*, Kernel>& kernels() {
  static std::map<const void*, Kernel> map;
  return map;
}

FakeDevice device;
bool lost = false;
std::map<const void*, std::size_t> allocations;
std::mutex allocating;
std::uint64_t seed = 0;
bool cutSums = false;
std::uint64_t launched = 0;
std::uint64_t allocated = 0;
/// What the last launch failed by.
std::string failure;

cudaError_t allocate(void** data, std::size_t bytes) {
  if (lost) return cudaErrorLaunchFailure;
  const std::lock_guard lock(allocating);
  ++allocated;
  std::size_t taken = 0;
  for (const auto& [at, size] : allocations) taken += size;
  if (taken + bytes > device.freeBytes) return cudaErrorMemoryAllocation;
  // As the device aligns it. Exact, so that the address sanitizer sees what lies beyond.
  if (posix_memalign(data, 256, bytes == 0 ? 1 : bytes) != 0) return cudaErrorMemoryAllocation;
  std::memset(*data, poisonByte, bytes);
  allocations[*data] = bytes;
  return cudaSuccess;
}

cudaError_t launch(const void* kernel, const dim3& grid, const dim3& block, unsigned clusterBlocks,
                   std::size_t shared, void** arguments, cudaStream_t stream) {
  const auto known = kernels().find(kernel);
  if (known == kernels().end()) return cudaErrorInvalidDeviceFunction;
  if (lost || device.launchesUntilLost == 0) {
    lost = true;
    failure = "the device fell off the bus";
    return cudaErrorLaunchFailure;
  }
  if (device.launchesUntilLost > 0) --device.launchesUntilLost;
  const unsigned threads = block.x * block.y * block.z;
  if (threads == 0 || threads > mostThreads || grid.x == 0 || grid.y == 0 || grid.z == 0 ||
      grid.y > mostBlocksBelow || grid.z > mostBlocksBelow || clusterBlocks == 0 ||
      clusterBlocks > mostClusterBlocks || grid.z % clusterBlocks != 0 ||
      (clusterBlocks > 1 && device.capability < 90))
    return cudaErrorInvalidConfiguration;
  if (shared > known->second.sharedAllowed) return cudaErrorInvalidValue;
  Launch l;
  l.kernel = known->second.caller(kernel, arguments);
  l.grid = {grid.x, grid.y, grid.z};
  l.block = {block.x, block.y, block.z};
  l.clusterBlocks = clusterBlocks;
  l.sharedBytes = shared;
  l.seed = seed;
  l.cutSums = cutSums;
  return enqueue(stream, [l = std::move(l)] {
    ++launched;
    failure = run(l);
    return failure.empty() ? cudaSuccess : cudaErrorLaunchFailure;
  });
}

}  // namespace

void setDevice(const FakeDevice& made) {
  device = made;
  lost = false;
  cuda::pretendDevice({});
}
bool deviceLost() { return lost; }
void setMultiprocessors(int count) {
  if (count == device.multiprocessors) return;
  device.multiprocessors = count;
  cuda::pretendDevice({});
}
void setSeed(std::uint64_t newSeed) { seed = newSeed; }
void setCutSums(bool cut) { cutSums = cut; }
void rememberKernel(const void* kernel, Caller caller) { kernels()[kernel].caller = caller; }
std::uint64_t launches() { return launched; }
std::uint64_t allocationsSoFar() { return allocated; }

}  // namespace bankside::on_host

using namespace bankside::on_host;

cudaError_t cudaMalloc(void** data, std::size_t bytes) { return allocate(data, bytes); }
cudaError_t cudaMallocHost(void** data, std::size_t bytes) { return allocate(data, bytes); }
cudaError_t cudaFree(void* data) {
  finishAll();
  const std::lock_guard lock(allocating);
  allocations.erase(data);
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* data) { return cudaFree(data); }
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t toStride, const void* from, std::size_t fromStride,
                              std::size_t rowBytes, std::size_t rows, cudaMemcpyKind, cudaStream_t stream) {
  if (rowBytes > toStride || rowBytes > fromStride) return cudaErrorInvalidValue;
  return enqueue(stream, [=] {
    for (std::size_t y = 0; y < rows; ++y)
      std::memcpy(static_cast<std::byte*>(to) + y * toStride,
                  static_cast<const std::byte*>(from) + y * fromStride, rowBytes);
    return cudaSuccess;
  });
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* all) {
  *free = *all = std::size_t{1} << 30;
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return enqueue(stream, [=] { return cudaMemcpy(to, from, bytes, kind); });
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  std::memset(to, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return enqueue(stream, [=] {
    std::memset(to, value, bytes);
    return cudaSuccess;
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyAsync(static_cast<std::byte*>(const_cast<void*>(symbol)) + offset, from, bytes, kind,
                         stream);
}

cudaError_t cudaGetDevice(int* current) {
  *current = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int wanted) { return wanted == 0 ? cudaSuccess : cudaErrorInvalidValue; }
/// What was allocated here is the device's, whether or not a call would have made it pinned memory.
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory) {
  const std::lock_guard lock(allocating);
  const auto after = allocations.upper_bound(memory);
  const bool inside = after != allocations.begin() && [&] {
    const auto& [begin, bytes] = *std::prev(after);
    return static_cast<const std::byte*>(memory) < static_cast<const std::byte*>(begin) + bytes;
  }();
  *attributes = {inside ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered, 0};
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  if (!device.driver || device.oldDriver) return cudaErrorInsufficientDriver;
  *count = device.count;
  return device.count > 0 ? cudaSuccess : cudaErrorNoDevice;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::strcpy(properties->name, "kernels on the host");
  properties->multiProcessorCount = device.multiprocessors;
  properties->l2CacheSize = 1 << 20;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount: *value = device.multiprocessors; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = static_cast<int>(device.sharedBytes); break;
    case cudaDevAttrComputeCapabilityMajor: *value = device.capability / 10; break;
    case cudaDevAttrComputeCapabilityMinor: *value = device.capability % 10; break;
  }
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = device.oldDriver ? 11000 : 0;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
    case cudaErrorInsufficientDriver: return "cudaErrorInsufficientDriver";
    case cudaErrorInvalidDeviceFunction: return "cudaErrorInvalidDeviceFunction";
    case cudaErrorNoDevice: return "cudaErrorNoDevice";
    case cudaErrorNoKernelImageForDevice: return "cudaErrorNoKernelImageForDevice";
    case cudaErrorLaunchFailure: return "cudaErrorLaunchFailure";
    default: return "cudaError";
  }
}
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorLaunchFailure ? failure.c_str() : "refused by the runtime of the tests";
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  if (lost) return cudaErrorLaunchFailure;
  if (!kernels().contains(kernel)) return cudaErrorInvalidDeviceFunction;
  if (!device.hasCode) return cudaErrorNoKernelImageForDevice;
  if (device.freeBytes == 0) return cudaErrorMemoryAllocation;
  attributes->ptxVersion = device.capability;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute, int value) {
  const auto known = kernels().find(kernel);
  if (known == kernels().end()) return cudaErrorInvalidDeviceFunction;
  if (value < 0 || static_cast<std::size_t>(value) > std::min(device.sharedBytes, SharedMemory::mostBytes))
    return cudaErrorInvalidValue;
  known->second.sharedAllowed = std::max(sharedWithoutAsking, static_cast<std::size_t>(value));
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  return launch(kernel, grid, block, 1, shared, arguments, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  unsigned blocks = 1;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    if (config->attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
    const auto& cluster = config->attrs[i].val.clusterDim;
    if (cluster.x != 1 || cluster.y != 1) return cudaErrorInvalidConfiguration;
    blocks = cluster.z;
  }
  return launch(kernel, config->gridDim, config->blockDim, blocks, config->dynamicSmemBytes, arguments,
                config->stream);
}
