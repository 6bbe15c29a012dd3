/// Launches of the multichannel kernels, FP32 units' and tensor cores': clusters of blocks, images in depth.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/multichannel/fma/summed_arguments.h"

namespace bankside::cuda {

/// How deep a grid is that has `each` blocks for every image. Errors  Error{Limit} for too many images
unsigned gridDepth(int images, int each);

/// Starts `kernel(arguments)` with `blocksOfCluster` neighbouring blocks of the grid's depth as a cluster (1
/// where the device has no clusters) and `shared` bytes of dynamic shared memory. Errors  Error{Device}
void launchClusters(const void* kernel, dim3 grid, int threads, int blocksOfCluster, std::size_t shared,
                    const SummedArguments& arguments, cudaStream_t stream);

}  // namespace bankside::cuda
