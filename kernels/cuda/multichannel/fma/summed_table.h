/// From a multichannel variant to its compiled kernel.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "kernels/cuda/multichannel/fma/choose_summed.h"
#include "kernels/cuda/multichannel/fma/summed_arguments.h"
#include "kernels/cuda/multichannel/tensor/tensor_layout.h"

namespace bankside::cuda {

/// Kernels of `summedVariants()[i]` at position i.
const std::vector<const void*>& summedKernels();

/// The kernel of tensor_kernel.cuh.
const void* tensorKernelAddress(TensorMode mode);

/// How deep a grid is that has `each` blocks for every image. Errors  Error{Limit} for too many images
unsigned gridDepth(int images, int each);

/// Starts one launch over the images of `arguments.batch`. Errors  Error{Device}, Error{Limit} for too many
/// images
void launchTensor(TensorMode mode, int parts, int multiprocessors, const SummedArguments& arguments,
                  cudaStream_t stream);
void launchSummed(const SummedChoice& choice, const SummedArguments& arguments, cudaStream_t stream);

/// Channels as f32 with rows `dstStride` elements apart, a multiple of 4, planes and images without gaps,
/// from rows of any type.
void launchWiden(const SourceRows& src, const ImageBatch& batch, int rows, int channels,
                 std::ptrdiff_t channelStride, float* dst, int dstStride, cudaStream_t stream);

/// The bits of the largest finite magnitude among the f32 pixels of rows [firstRow, firstRow + rows) of every
/// channel, and of `atLeast`, to `largest` on the device: `largestPieces` words an image, of which the
/// largest counts.
int largestPieces(int rows, int channels);
void launchLargest(const SourceRows& src, const ImageBatch& batch, int firstRow, int rows, int channels,
                   std::ptrdiff_t channelStride, float atLeast, std::uint32_t* largest, cudaStream_t stream);

/// One combined plane (and ArgMax's index) of every image from its `a.filterCount` f32 planes of responses,
/// which lie without gaps.
void launchCombine(const KernelArguments& a, const ImageBatch& batch, const float* responses,
                   std::ptrdiff_t stride, std::ptrdiff_t planeStride, cudaStream_t stream);

// One function a translation unit of instances; they fill their rows.
void addSquareKernels(std::vector<const void*>& table);
void addAnySizeKernels(std::vector<const void*>& table);
void addFewFilterKernels(std::vector<const void*>& table);
void addTrialSummedKernels(std::vector<const void*>& table);

}  // namespace bankside::cuda
