/// Which image of a batch a thread block works for, and where its pixels and results lie: asked once a block,
/// outside of every loop.
#pragma once

#include "kernels/cuda/pixels/image_batch.h"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

struct BatchPlace {
  int image = 0;
  int filterBlock = 0;
};

/// A grid is as deep as images x blocks of filters x `parts` of the channels; the blocks of an image follow
/// each other, so that those that read the same pixels run at about the same time.
__device__ __forceinline__ BatchPlace placeInBatch(const ImageBatch& batch, int filterCount,
                                                   int filtersPerBlock, int parts) {
  const int block = static_cast<int>(blockIdx.z) / parts;
  if (batch.images == 1) return {0, block};
  const int blocks = ceilDiv(filterCount, filtersPerBlock);
  const int image = block / blocks;
  return {image, block - image * blocks};
}

__device__ __forceinline__ const float* pixelsOf(const void* pixels, const ImageBatch& batch, int image) {
  return reinterpret_cast<const float*>(static_cast<const char*>(pixels) + image * batch.sourceBytes);
}

/// `dst` for one image of the batch.
__device__ __forceinline__ ResultRows resultsOf(const ResultRows& dst, const ImageBatch& batch, int image) {
  return resultsAfter(dst, image * batch.resultBytes);
}

}  // namespace bankside::cuda
