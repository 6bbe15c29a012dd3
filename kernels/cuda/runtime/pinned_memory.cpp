#include "kernels/cuda/runtime/pinned_memory.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/log.h"
#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_buffer.h"

namespace bankside::cuda {
namespace {

/// A device's own copy of so much takes as long as the host's, with what it costs to ask for.
constexpr std::ptrdiff_t leastBytes = std::ptrdiff_t{64} << 10;

bool isPinned(const std::byte* at) {
  cudaPointerAttributes found{};
  if (cudaPointerGetAttributes(&found, at) == cudaSuccess) return found.type == cudaMemoryTypeHost;
  cudaGetLastError();
  return false;
}

struct Pinned {
  std::mutex mutex;
  std::map<void*, std::size_t> bytes;  ///< of all that there is
  std::vector<void*> kept;             ///< that images gave back, oldest first
  std::int64_t total = 0;
  std::int64_t ofImages = 0;      ///< that images lie in now
  std::int64_t mostOfImages = 0;  ///< at any time
  bool said = false;              ///< that there is none
};

/// Never destroyed: images may go after everything else.
Pinned& pinned() {
  static Pinned& all = *new Pinned;
  return all;
}

/// The one given back last that is not much larger.
void* takeKept(std::size_t bytes) {
  Pinned& all = pinned();
  const std::lock_guard lock(all.mutex);
  const auto fits = std::find_if(all.kept.rbegin(), all.kept.rend(), [&](void* memory) {
    const std::size_t has = all.bytes.at(memory);
    return has >= bytes && has - bytes <= bytes / 8;
  });
  if (fits == all.kept.rend()) return nullptr;
  void* const memory = *fits;
  all.kept.erase(std::next(fits).base());
  return memory;
}

void freeKept() noexcept {
  std::vector<void*> gone;
  {
    const std::lock_guard lock(pinned().mutex);
    gone.swap(pinned().kept);
  }
  for (void* const memory : gone) PinnedMemory::release(memory);
}

/// What is not of here, such as null, counts as nothing.
void lend(void* memory, bool out) noexcept {
  Pinned& all = pinned();
  const std::lock_guard lock(all.mutex);
  const auto found = all.bytes.find(memory);
  if (found == all.bytes.end()) return;
  const auto bytes = static_cast<std::int64_t>(found->second);
  all.ofImages += out ? bytes : -bytes;
  all.mostOfImages = std::max(all.mostOfImages, all.ofImages);
}

/// Of images of many sizes more would be kept than was ever used: the oldest go.
void freeIdle() {
  std::vector<void*> gone;
  {
    Pinned& all = pinned();
    const std::lock_guard lock(all.mutex);
    std::int64_t idle = 0;
    gone.reserve(all.kept.size());
    for (void* const memory : all.kept) idle += static_cast<std::int64_t>(all.bytes.at(memory));
    while (!all.kept.empty() && idle > all.mostOfImages) {
      idle -= static_cast<std::int64_t>(all.bytes.at(all.kept.front()));
      gone.push_back(all.kept.front());
      all.kept.erase(all.kept.begin());
    }
  }
  for (void* const memory : gone) PinnedMemory::release(memory);
}

/// Throws Error where there is none.
void* takeNew(std::size_t bytes) {
  const CurrentDevice here;
  freeIdle();
  void* memory = nullptr;
  cudaError_t error = PinnedMemory::allocate(&memory, bytes);
  if (error != cudaSuccess) {
    freeKept();
    error = PinnedMemory::allocate(&memory, bytes);
  }
  if (error == cudaSuccess) return memory;
  throw Error(ErrorCode::Limit, describe(error));
}

/// An image that was to be pinned.
void sayOrdinary(const char* why) noexcept {
  try {
    {
      const std::lock_guard lock(pinned().mutex);
      if (std::exchange(pinned().said, true)) return;
    }
    log(LogLevel::Warning,
        std::string("there is no pinned memory, so that threads copy for the device: ") + why);
  } catch (const std::exception&) {
    // Nobody can be told.
  }
}

}  // namespace

cudaError_t PinnedMemory::allocate(void** data, std::size_t bytes) {
  if (const cudaError_t error = cudaMallocHost(data, bytes); error != cudaSuccess) {
    cudaGetLastError();  // who asks is told; nobody else shall meet it
    return error;
  }
  Pinned& all = pinned();
  const std::lock_guard lock(all.mutex);
  all.bytes[*data] = bytes;
  all.total += static_cast<std::int64_t>(bytes);
  return cudaSuccess;
}

void PinnedMemory::release(void* data) {
  {
    Pinned& all = pinned();
    const std::lock_guard lock(all.mutex);
    const auto found = all.bytes.find(data);
    if (found != all.bytes.end()) {
      all.total -= static_cast<std::int64_t>(found->second);
      all.bytes.erase(found);
    }
  }
  cudaFreeHost(data);
}

bool isPinned(const ConstPlane& plane) {
  const std::ptrdiff_t rowBytes =
      static_cast<std::ptrdiff_t>(plane.width) * static_cast<std::ptrdiff_t>(sizeOf(plane.type));
  return rowBytes * plane.height >= leastBytes && plane.strideBytes >= rowBytes && isPinned(plane.row(0)) &&
         isPinned(plane.row(plane.height - 1) + rowBytes - 1);
}

void copyRows(const MutablePlane& to, const ConstPlane& from, const Stream& stream) {
  const std::size_t rowBytes = static_cast<std::size_t>(to.width) * sizeOf(to.type);
  const auto rows = static_cast<std::size_t>(to.height);
  const auto toStride = static_cast<std::size_t>(to.strideBytes);
  const auto fromStride = static_cast<std::size_t>(from.strideBytes);
  if (toStride == rowBytes && fromStride == rowBytes) {
    BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(to.data, from.data, rowBytes * rows, cudaMemcpyDefault, stream));
  } else {
    BANKSIDE_CUDA_CHECK(cudaMemcpy2DAsync(to.data, toStride, from.data, fromStride, rowBytes, rows,
                                          cudaMemcpyDefault, stream));
  }
}

std::int64_t pinnedBytes() {
  const std::lock_guard lock(pinned().mutex);
  return pinned().total;
}

std::int64_t pinnedBesideImages() {
  const std::lock_guard lock(pinned().mutex);
  return pinned().total - pinned().ofImages;
}

void* PinnedImages::take(std::size_t bytes) noexcept {
  if (bytes < static_cast<std::size_t>(leastBytes)) return nullptr;
  try {
    void* memory = takeKept(bytes);
    if (memory == nullptr) memory = takeNew(bytes);
    lend(memory, true);
    return memory;
  } catch (const Error& error) {
    sayOrdinary(error.what());
  } catch (const std::bad_alloc&) {
    // This image alone.
  }
  return nullptr;
}

void PinnedImages::give(void* memory) noexcept {
  lend(memory, false);
  try {
    const std::lock_guard lock(pinned().mutex);
    pinned().kept.push_back(memory);
    return;
  } catch (const std::bad_alloc&) {
    // It is freed instead.
  }
  PinnedMemory::release(memory);
}

void PinnedImages::drop() noexcept {
  freeKept();
  const std::lock_guard lock(pinned().mutex);
  pinned().mostOfImages = pinned().ofImages;
  pinned().said = false;
}

PinnedImages& PinnedImages::get() {
  static PinnedImages& images = *new PinnedImages;
  return images;
}

}  // namespace bankside::cuda
