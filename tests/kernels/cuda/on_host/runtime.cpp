// The CUDA runtime that the engines are linked with here: device memory is host memory. Streams are
// late_streams.cpp's.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda/runtime/device_state.h"
#include "kernels/cuda/runtime/measure_limits.h"
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

struct Kernel {
  Caller caller = nullptr;
  std::map<int, std::size_t> sharedAllowed = {};  // by device

  std::size_t allowedHere() const {
    const auto known = sharedAllowed.find(currentFake());
    return known == sharedAllowed.end() ? sharedWithoutAsking : known->second;
  }
};

std::map<const void*, Kernel>& kernels() {
  static std::map<const void*, Kernel> map;
  return map;
}

/// A device, and what became of it.
struct Present : FakeDevice {
  bool lost = false;
  std::uint64_t launched = 0;
  /// What it has in the place of constant symbols, whose memory is one for all devices here.
  std::map<void*, std::vector<std::byte>> constants = {};
};
std::vector<Present> present(1);
thread_local int current = 0;
Present& here() { return present[static_cast<std::size_t>(current)]; }
/// Whose constants lie in the symbols.
int constantsOf = 0;
std::mutex usingConstants;

struct Allocation {
  std::size_t bytes = 0;
  int device = 0;
  cudaMemoryType type = cudaMemoryTypeDevice;
};
std::map<const void*, Allocation> allocations;
std::mutex allocating;
std::uint64_t seed = 0;
bool cutSums = false;
std::uint64_t launched = 0;
std::uint64_t allocated = 0;
std::function<void(int)> settingUp;
/// What the last launch failed by.
std::string failure;

cudaError_t allocate(void** data, std::size_t bytes, cudaMemoryType type) {
  if (here().lost) return cudaErrorLaunchFailure;
  const std::lock_guard lock(allocating);
  ++allocated;
  std::size_t taken = 0;
  for (const auto& [at, other] : allocations) taken += other.device == current ? other.bytes : 0;
  if (taken + bytes > here().freeBytes) return cudaErrorMemoryAllocation;
  // As the device aligns it. Exact, so that the address sanitizer sees what lies beyond.
  if (posix_memalign(data, 256, bytes == 0 ? 1 : bytes) != 0) return cudaErrorMemoryAllocation;
  std::memset(*data, poisonByte, bytes);
  allocations[*data] = {bytes, current, type};
  return cudaSuccess;
}

/// The symbols hold what the device was given.
void takeConstants(int device) {
  const std::lock_guard lock(usingConstants);
  if (std::exchange(constantsOf, device) == device) return;
  for (const auto& [symbol, bytes] : present[static_cast<std::size_t>(device)].constants)
    std::memcpy(symbol, bytes.data(), bytes.size());
}

cudaError_t giveConstants(int device, void* symbol, std::size_t offset, const void* from, std::size_t bytes) {
  takeConstants(device);
  const std::lock_guard lock(usingConstants);
  std::vector<std::byte>& kept = present[static_cast<std::size_t>(device)].constants[symbol];
  kept.resize(std::max(kept.size(), offset + bytes));
  std::memcpy(kept.data() + offset, from, bytes);
  std::memcpy(static_cast<std::byte*>(symbol) + offset, from, bytes);
  return cudaSuccess;
}

cudaError_t launch(const void* kernel, const dim3& grid, const dim3& block, unsigned clusterBlocks,
                   std::size_t shared, std::function<void()> call, cudaStream_t stream) {
  const auto known = kernels().find(kernel);
  if (known == kernels().end()) return cudaErrorInvalidDeviceFunction;
  FakeDevice& device = here();
  if (here().lost || device.launchesUntilLost == 0) {
    here().lost = true;
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
  if (shared > known->second.allowedHere()) return cudaErrorInvalidValue;
  Launch l;
  l.kernel = std::move(call);
  l.grid = {grid.x, grid.y, grid.z};
  l.block = {block.x, block.y, block.z};
  l.clusterBlocks = clusterBlocks;
  l.sharedBytes = shared;
  l.seed = seed;
  l.cutSums = cutSums;
  return enqueue(stream, [l = std::move(l), on = current] {
    ++launched;
    ++present[static_cast<std::size_t>(on)].launched;
    takeConstants(on);
    failure = run(l);
    return failure.empty() ? cudaSuccess : cudaErrorLaunchFailure;
  });
}

}  // namespace

std::function<void()> callOf(const void* kernel, void** arguments) {
  const auto known = kernels().find(kernel);
  return known == kernels().end() ? std::function<void()>() : known->second.caller(kernel, arguments);
}

cudaError_t launchCall(const cudaLaunchConfig_t& config, const void* kernel, std::function<void()> call) {
  unsigned blocks = 1;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
    const auto& cluster = config.attrs[i].val.clusterDim;
    if (cluster.x != 1 || cluster.y != 1) return cudaErrorInvalidConfiguration;
    blocks = cluster.z;
  }
  return launch(kernel, config.gridDim, config.blockDim, blocks, config.dynamicSmemBytes, std::move(call),
                config.stream);
}

void setDevice(const FakeDevice& made) {
  setDevices(std::vector<FakeDevice>(static_cast<std::size_t>(std::max(1, made.count)), made));
}
void setDevices(const std::vector<FakeDevice>& made) {
  present.resize(made.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    static_cast<FakeDevice&>(present[i]) = made[i];
    present[i].count = made[0].count == 0 ? 0 : static_cast<int>(made.size());
    present[i].lost = false;
  }
  current = 0;
  cuda::pretendDevice({});
}
void beforeSetUp(const std::function<void(int device)>& call) { settingUp = call; }
bool deviceLost() { return here().lost; }
int currentFake() { return current; }
void setMultiprocessors(int count) {
  if (count == here().multiprocessors) return;
  here().multiprocessors = count;
  cuda::pretendDevice({});
}
void setSeed(std::uint64_t newSeed) { seed = newSeed; }
void setCutSums(bool cut) { cutSums = cut; }
void rememberKernel(const void* kernel, Caller caller) { kernels()[kernel].caller = caller; }
std::uint64_t launches() { return launched; }
std::uint64_t launchesOn(int device) { return present[static_cast<std::size_t>(device)].launched; }
std::uint64_t allocationsSoFar() { return allocated; }

}  // namespace bankside::on_host

/// A CPU that plays a device has no rates: a planner takes those of the device that costs were measured on.
bankside::cuda::MeasuredRates bankside::cuda::measureRates() { return {}; }

using namespace bankside::on_host;

cudaError_t cudaMalloc(void** data, std::size_t bytes) { return allocate(data, bytes, cudaMemoryTypeDevice); }
cudaError_t cudaMallocHost(void** data, std::size_t bytes) {
  return allocate(data, bytes, cudaMemoryTypeHost);
}
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
  (void)kind;
  return enqueue(stream, [=, on = current] {
    return giveConstants(on, const_cast<void*>(symbol), offset, from, bytes);
  });
}

cudaError_t cudaGetDevice(int* device) {
  *device = current;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int wanted) {
  if (wanted < 0 || wanted >= static_cast<int>(present.size())) return cudaErrorInvalidValue;
  current = wanted;
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory) {
  const std::lock_guard lock(allocating);
  const auto after = allocations.upper_bound(memory);
  const bool inside = after != allocations.begin() && [&] {
    const auto& [begin, allocation] = *std::prev(after);
    return static_cast<const std::byte*>(memory) < static_cast<const std::byte*>(begin) + allocation.bytes;
  }();
  *attributes = inside ? cudaPointerAttributes{std::prev(after)->second.type, std::prev(after)->second.device}
                       : cudaPointerAttributes{cudaMemoryTypeUnregistered, 0};
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  const FakeDevice& first = present.front();
  if (!first.driver || first.oldDriver) return cudaErrorInsufficientDriver;
  *count = first.count;
  return first.count > 0 ? cudaSuccess : cudaErrorNoDevice;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  if (number < 0 || number >= static_cast<int>(present.size())) return cudaErrorInvalidValue;
  const FakeDevice& device = present[static_cast<std::size_t>(number)];
  std::strcpy(properties->name, "kernels on the host");
  properties->multiProcessorCount = device.multiprocessors;
  properties->l2CacheSize = 1 << 20;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  if (number < 0 || number >= static_cast<int>(present.size())) return cudaErrorInvalidValue;
  const FakeDevice& device = present[static_cast<std::size_t>(number)];
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount: *value = device.multiprocessors; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = static_cast<int>(device.sharedBytes); break;
    case cudaDevAttrComputeCapabilityMajor: *value = device.capability / 10; break;
    case cudaDevAttrComputeCapabilityMinor: *value = device.capability % 10; break;
  }
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = present.front().oldDriver ? 11000 : 0;
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
  if (settingUp) settingUp(current);
  const FakeDevice& device = here();
  if (here().lost) return cudaErrorLaunchFailure;
  if (!kernels().contains(kernel)) return cudaErrorInvalidDeviceFunction;
  if (!device.hasCode) return cudaErrorNoKernelImageForDevice;
  if (device.freeBytes == 0) return cudaErrorMemoryAllocation;
  attributes->ptxVersion = device.capability;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute, int value) {
  const auto known = kernels().find(kernel);
  if (known == kernels().end()) return cudaErrorInvalidDeviceFunction;
  if (value < 0 || static_cast<std::size_t>(value) > std::min(here().sharedBytes, SharedMemory::mostBytes))
    return cudaErrorInvalidValue;
  known->second.sharedAllowed[current] = std::max(sharedWithoutAsking, static_cast<std::size_t>(value));
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  return launch(kernel, grid, block, 1, shared, bankside::on_host::callOf(kernel, arguments), stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  return bankside::on_host::launchCall(*config, kernel, bankside::on_host::callOf(kernel, arguments));
}
