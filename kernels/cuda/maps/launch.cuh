/// How the kernels over maps are started.
#pragma once

#include <type_traits>

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {

/// Errors  Error{Device}
template <class... Parameters>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, cudaStream_t stream,
            std::type_identity_t<Parameters>... given) {
  void* arguments[] = {const_cast<void*>(static_cast<const void*>(&given))...};
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(kernel), grid, block, arguments, 0, stream));
}

}  // namespace bankside::cuda
