/// Starts the tensor cores' kernel of a mode.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/multichannel/fma/summed_arguments.h"
#include "kernels/cuda/multichannel/tensor/tensor_layout.h"

namespace bankside::cuda {

/// The kernel of tensor_kernel.cuh.
const void* tensorKernelAddress(TensorMode mode);

/// Starts one launch over the images of `arguments.batch`. Errors  Error{Device}, Error{Limit} for too many
/// images
void launchTensor(TensorMode mode, int parts, int multiprocessors, const SummedArguments& arguments,
                  cudaStream_t stream);

}  // namespace bankside::cuda
