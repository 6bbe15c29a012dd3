/// Starts the tensor cores' kernel of a mode.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/multichannel/fma/summed_arguments.h"
#include "kernels/cuda/multichannel/tensor/tensor_parts.h"

namespace bankside::cuda {

/// The kernel of tensor_kernel.cuh.
const void* tensorKernelAddress(TensorMode mode, TensorTile tile);

/// Starts one launch over the images of `arguments.batch`. Errors  Error{Device}, Error{Limit} for too many
/// images
void launchTensor(TensorMode mode, TensorSplit split, SummedArguments arguments, cudaStream_t stream);

}  // namespace bankside::cuda
