/// Memory on the device and pinned memory on the host, freed by its owner, grown and never shrunk.
#pragma once

#include <cstddef>
#include <utility>

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

struct DeviceMemory {
  static cudaError_t allocate(void** data, std::size_t bytes) { return cudaMalloc(data, bytes); }
  static void release(void* data) { cudaFree(data); }
};

/// Counted (pinned_memory.h).
struct PinnedMemory {
  static cudaError_t allocate(void** data, std::size_t bytes);
  static void release(void* data);
};

template <class Memory>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes) { reserve(bytes); }
  ~Buffer() { release(); }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  /// At least that many bytes; what was in it is gone if it had to grow. Errors  Error{Limit}, Error{Device}
  void reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    release();
    BANKSIDE_CUDA_CHECK(Memory::allocate(&data_, bytes));
    bytes_ = bytes;
  }

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  std::size_t bytes() const { return bytes_; }

 private:
  void release() {
    if (data_ != nullptr) Memory::release(data_);
    data_ = nullptr;
    bytes_ = 0;
  }

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

using DeviceBuffer = Buffer<DeviceMemory>;
using PinnedBuffer = Buffer<PinnedMemory>;

}  // namespace bankside::cuda
