/// How the work of the tensor cores' kernel is cut, and what its warpgroups share.
#pragma once

#include "kernels/cuda/device/bulk_copy.cuh"
#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/multichannel/fma/summed_arguments.h"
#include "kernels/cuda/multichannel/tensor/tensor_layout.h"

namespace bankside::cuda {

/// One tile of results.
struct TensorTask {
  int x0, y0;
  int firstFilter, image;
};

/// What producers and consumers tell each other, a warp at a time: a step's taps, a slab's
/// pixels and a tile's sums are there, or done with.
struct TensorBarriers {
  PhaseBarrier taps[mostTapStages], tapsDone[mostTapStages];
  PhaseBarrier pixels[2], pixelsDone[2];
  PhaseBarrier sums, sumsDone;

  __device__ __forceinline__ void begin(int consumers) {
    constexpr int producers = TensorTile::producers / 32;
    consumers *= TensorTile::warpgroup / 32;
#pragma unroll 1
    for (int i = 0; i < mostTapStages; ++i) {
      beginPhases(taps[i], 1);
      beginPhases(tapsDone[i], consumers);
    }
#pragma unroll 1
    for (int i = 0; i < 2; ++i) {
      beginPhases(pixels[i], producers);
      beginPhases(pixelsDone[i], consumers);
    }
    beginPhases(sums, consumers);
    beginPhases(sumsDone, producers);
    showPhases();
  }
};
static_assert(sizeof(TensorBarriers) <= tensorBarriers * barrierBytes);

/// The block's last task, for all; for the thread that loads taps where the next step's are, how many steps
/// of its task are left, and which task that is.
struct TensorNotes {
  TensorTask last;
  const uint4* from;
  int left, task;
};
static_assert(sizeof(TensorNotes) <= notedBytes);

/// What the warp has done is there for those who wait.
__device__ __forceinline__ void arriveAsWarp(PhaseBarrier& barrier) {
  __syncwarp();
  if (threadIdx.x % 32 == 0) arriveAtPhase(barrier);
}

/// Where a block's shared memory is, and how its work is cut: a *slab* is the channels of one instruction, a
/// *step* some of its taps.
template <TensorMode mode, TensorTile tile>
struct TensorWork {
  int pitch, plane;        ///< units from row to row of pixels, and of one unit of all pixels
  int rows;                ///< see rowFactor
  int taps, steps;         ///< of a step; of a slab
  int slabs;               ///< of all channels
  int firstSlab, endSlab;  ///< of this block
  int tasks;
  TensorBarriers* barriers;
  TensorNotes* notes;
  float* scales;           ///< of the two slabs' pixels
  std::uint32_t* largest;  ///< and what each warp of the producers has found
  uint4 *tapBuffers, *pixelBuffers;
  float* sums;

  __device__ __forceinline__ TensorWork(const SummedArguments& s, int part, uint4* memory)
      : pitch(tile.stagedColumns(s.base.filterWidth)),
        plane(tile.stagedPixels(s.base.filterHeight, s.base.filterWidth)),
        rows(s.rowFactor),
        taps(s.tapsPerStep),
        steps(s.base.filterHeight * s.base.filterWidth / s.tapsPerStep),
        slabs(ceilDiv(s.channels, channelsPerProduct)),
        firstSlab(part * s.channelsPerSplit / channelsPerProduct),
        endSlab(min(firstSlab + s.channelsPerSplit / channelsPerProduct, slabs)),
        tasks(tensorTasks(tile, s.base.width, s.base.height, s.base.filterCount) * s.batch.images),
        barriers(reinterpret_cast<TensorBarriers*>(memory)),
        notes(reinterpret_cast<TensorNotes*>(memory + tensorBarriers * barrierBytes / 16)),
        scales(reinterpret_cast<float*>(memory) + (tensorBarriers * barrierBytes + notedBytes) / 4),
        largest(reinterpret_cast<std::uint32_t*>(scales + 2)),
        tapBuffers(memory + tensorHeadUnits),
        pixelBuffers(tapBuffers + s.tapStages * tapStageUnits()),
        sums(reinterpret_cast<float*>(s.sumsShared ? tapBuffers : pixelBuffers + 2 * slabUnits())) {}

  __device__ __forceinline__ int tapStageUnits() const { return taps * tapUnits(mode); }
  __device__ __forceinline__ int slabUnits() const { return partsOfPixel(mode) * 2 * plane; }

  /// Tiles beside each other, then below, then of other filters, then of other images.
  __device__ __forceinline__ TensorTask task(const KernelArguments& a, int i) const {
    const auto across = static_cast<unsigned>(ceilDiv(a.width, tile.tileWidth));
    const auto down = static_cast<unsigned>(ceilDiv(a.height, TensorTile::tileHeight));
    const auto deep = static_cast<unsigned>(ceilDiv(a.filterCount, TensorTile::filtersPerBlock));
    const auto at = static_cast<unsigned>(i);
    const unsigned row = at / across;
    const unsigned block = row / down;
    const unsigned image = block / deep;
    return {static_cast<int>(at - row * across) * tile.tileWidth,
            static_cast<int>(row - block * down) * TensorTile::tileHeight,
            static_cast<int>(block - image * deep) * TensorTile::filtersPerBlock, static_cast<int>(image)};
  }
};

/// Of all producers.
inline constexpr int producersBarrier = 1;
/// Where all of a block meet who load and who multiply, each at a place of its own.
inline constexpr int everybodysBarrier = 2;

}  // namespace bankside::cuda
