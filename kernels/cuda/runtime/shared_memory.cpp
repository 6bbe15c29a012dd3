#include "kernels/cuda/runtime/shared_memory.h"

#include <map>
#include <mutex>

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

void allowSharedMemory(const void* kernel, std::size_t bytes) {
  constexpr std::size_t always = 48 * 1024;
  if (bytes <= always) return;
  static std::mutex mutex;
  static std::map<const void*, std::size_t> allowed;
  const std::lock_guard lock(mutex);
  std::size_t& most = allowed[kernel];
  if (bytes <= most) return;
  BANKSIDE_CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  most = bytes;
}

}  // namespace bankside::cuda
