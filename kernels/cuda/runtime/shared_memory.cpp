#include "kernels/cuda/runtime/shared_memory.h"

#include <map>
#include <mutex>
#include <utility>

#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

void allowSharedMemory(const void* kernel, std::size_t bytes) {
  int device = 0;
  BANKSIDE_CUDA_CHECK(cudaGetDevice(&device));
  static std::mutex mutex;
  static std::map<std::pair<int, const void*>, std::size_t> allowed;
  const std::lock_guard lock(mutex);
  std::size_t& most = allowed[{device, kernel}];
  if (bytes <= most) return;
  BANKSIDE_CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  most = bytes;
}

}  // namespace bankside::cuda
