/// Device memory that is zeros before anybody writes into it: for kernels that read rows whole, padding and
/// all, and for transforms of batches that are not full. Nothing of it reaches a result; it is no memory that
/// nobody wrote.
#pragma once

#include "kernels/cuda/runtime/device_buffer.h"

namespace bankside::cuda {

/// As `buffer.reserve`. Waits for the zeros, which is where memory grows alone.
inline void reserveZeros(DeviceBuffer& buffer, std::size_t bytes) {
  if (bytes <= buffer.bytes()) return;
  buffer.reserve(bytes);
  BANKSIDE_CUDA_CHECK(cudaMemset(buffer.data(), 0, bytes));
  BANKSIDE_CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

}  // namespace bankside::cuda
