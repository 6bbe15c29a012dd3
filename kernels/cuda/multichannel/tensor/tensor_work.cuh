/// How the work of the tensor cores' kernel is cut, and what its warpgroups share.
#pragma once

#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/multichannel/fma/summed_arguments.h"
#include "kernels/cuda/multichannel/tensor/tensor_layout.h"

namespace bankside::cuda {

/// One tile of results.
struct TensorTask {
  int x0, y0;
  int firstFilter, image;
};

/// Where a block's shared memory is, and how its work is cut: a *slab* is the channels of one instruction, a
/// *step* some of its taps.
template <TensorMode mode>
struct TensorWork {
  int pitch, plane;        ///< units from row to row of pixels, and of one unit of all pixels
  int taps, steps;         ///< of a step; of a slab
  int firstSlab, endSlab;  ///< of this block
  int tasks;
  uint4 *tapBuffers, *pixelBuffers;
  float* scales;           ///< of the two slabs' pixels
  std::uint32_t* largest;  ///< and what each warp that brings has found

  __device__ __forceinline__ TensorWork(const SummedArguments& s, int part, uint4* memory)
      : pitch(TensorTile::stagedColumns(s.base.filterWidth)),
        plane(TensorTile::stagedPixels(s.base.filterHeight, s.base.filterWidth)),
        taps(s.tapsPerStep),
        steps(s.base.filterHeight * s.base.filterWidth / s.tapsPerStep),
        firstSlab(part * s.channelsPerSplit / channelsPerProduct),
        endSlab(ceilDiv(min((part + 1) * s.channelsPerSplit, s.channels), channelsPerProduct)),
        tasks(tensorTasks(s.base.width, s.base.height, s.base.filterCount) * s.batch.images),
        tapBuffers(memory),
        pixelBuffers(memory + 2 * taps * tapUnits(mode)),
        scales(reinterpret_cast<float*>(pixelBuffers + 2 * slabUnits())),
        largest(reinterpret_cast<std::uint32_t*>(scales + 2)) {}

  __device__ __forceinline__ int slabUnits() const { return partsOfPixel(mode) * 2 * plane; }

  /// Tiles beside each other, then below, then of other filters, then of other images.
  __device__ __forceinline__ TensorTask task(const KernelArguments& a, int i) const {
    const int across = ceilDiv(a.width, TensorTile::tileWidth);
    const int down = ceilDiv(a.height, TensorTile::tileHeight);
    const int deep = ceilDiv(a.filterCount, TensorTile::filtersPerBlock);
    const int row = i / across;
    const int block = row / down;
    return {(i - row * across) * TensorTile::tileWidth, (row - block * down) * TensorTile::tileHeight,
            block % deep * TensorTile::filtersPerBlock, block / deep};
  }
};

/// Barriers between those who bring and a warpgroup that multiplies: a step's buffers are full, or empty.
inline constexpr int stepThreads = TensorTile::bringers + TensorTile::warpgroup;
__device__ __forceinline__ int fullBarrier(int buffer, int multiplier) { return 1 + 2 * buffer + multiplier; }
__device__ __forceinline__ int emptyBarrier(int buffer, int multiplier) {
  return 5 + 2 * buffer + multiplier;
}
inline constexpr int bringersBarrier = 9;

}  // namespace bankside::cuda
