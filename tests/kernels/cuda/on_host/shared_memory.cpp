#include "tests/kernels/cuda/on_host/shared_memory.h"

#include <algorithm>
#include <cstring>

#include "tests/kernels/cuda/on_host/cuda_runtime_api.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace bankside::on_host {
namespace {

constexpr std::size_t guardBytes = 4096;

}  // namespace
}  // namespace bankside::on_host

// What kernels declare `extern __shared__`, under the names that they give it: one array.
namespace bankside::cuda {

constexpr std::size_t units = (on_host::SharedMemory::mostBytes + on_host::guardBytes) / sizeof(float4);
alignas(1024) thread_local float4 memory[units];
extern thread_local float4 tileUnits[units] __attribute__((alias("_ZN8bankside4cuda6memoryE")));
extern thread_local unsigned shared[units * 4] __attribute__((alias("_ZN8bankside4cuda6memoryE")));

}  // namespace bankside::cuda

namespace bankside::on_host {

SharedMemory::SharedMemory(std::size_t bytes, int blocks) : bytes_(bytes) {
  if (blocks > 1) waiting_.resize(static_cast<std::size_t>(blocks), std::vector<std::byte>(bytes));
#ifdef __SANITIZE_ADDRESS__
  ASAN_POISON_MEMORY_REGION(begin() + bytes_, mostBytes + guardBytes - bytes_);
#endif
}

SharedMemory::~SharedMemory() {
#ifdef __SANITIZE_ADDRESS__
  ASAN_UNPOISON_MEMORY_REGION(begin(), mostBytes + guardBytes);
#endif
}

std::byte* SharedMemory::begin() const { return reinterpret_cast<std::byte*>(cuda::memory); }

void SharedMemory::poison() {
#ifdef __SANITIZE_ADDRESS__
  std::memset(begin(), poisonByte, bytes_);
#else
  std::memset(begin(), poisonByte, bytes_ + guardBytes);
#endif
  for (auto& block : waiting_) std::fill(block.begin(), block.end(), std::byte{poisonByte});
  entered_ = 0;
}

void SharedMemory::enter(int block) {
  if (block == entered_) return;
  std::memcpy(waiting_[static_cast<std::size_t>(entered_)].data(), begin(), bytes_);
  std::memcpy(begin(), waiting_[static_cast<std::size_t>(block)].data(), bytes_);
  entered_ = block;
}

void* SharedMemory::placeIn(int block, const void* address) {
  const auto offset = static_cast<const std::byte*>(address) - begin();
  if (offset < 0 || offset >= static_cast<std::ptrdiff_t>(bytes_)) return nullptr;
  return (block == entered_ ? begin() : waiting_[static_cast<std::size_t>(block)].data()) + offset;
}

bool SharedMemory::guardsHold() const {
#ifndef __SANITIZE_ADDRESS__
  for (std::size_t i = 0; i < guardBytes; ++i)
    if (begin()[bytes_ + i] != std::byte{poisonByte}) return false;
#endif
  return true;
}

}  // namespace bankside::on_host
