/// What stands before and after the multichannel kernels where they cannot do it themselves: pixels widened
/// to f32, and responses combined. Errors  Error{Device}; Error{Limit} for
/// too many images
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/pixels/image_batch.h"
#include "kernels/cuda/pixels/kernel_arguments.h"

namespace bankside::cuda {

/// Channels as f32 with rows `dstStride` elements apart, a multiple of 4, and planes `dstPlane` elements
/// apart, images without gaps, from rows of any type.
void launchWiden(const SourceRows& src, const ImageBatch& batch, int rows, int channels,
                 std::ptrdiff_t channelStride, float* dst, int dstStride, std::ptrdiff_t dstPlane,
                 cudaStream_t stream);

/// One combined plane (and ArgMax's index) of every image from its `a.filterCount` f32 planes of responses,
/// which lie without gaps.
void launchCombine(const KernelArguments& a, const ImageBatch& batch, const float* responses,
                   std::ptrdiff_t stride, std::ptrdiff_t planeStride, cudaStream_t stream);

}  // namespace bankside::cuda
