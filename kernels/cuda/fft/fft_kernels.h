/// The kernels around the transforms: pixels into tiles, responses out of them.
#pragma once

#include <cuda_runtime_api.h>

#include "core/magnitude_range.h"
#include "kernels/cuda/fft/fft_layout.h"
#include "kernels/cuda/pixels/kernel_arguments.h"

namespace bankside::cuda {

/// What a tile holds: bits of the largest finite magnitude, of the largest up to FftTiles::range, and how
/// many are beyond that.
struct TileExtent {
  std::uint32_t largest, largestPlain, huge;
};

/// One launch's share of the tiles of a result; tiles count row by row from the result's corner.
struct FftTiles {
  KernelArguments base;  ///< its taps are [F][kh][kw]
  FftLayout layout;      ///< tilesX of the result
  int firstTile = 0;
  int tiles = 0;
  float* pixels = nullptr;           ///< [tiles][height][width]
  const float* responses = nullptr;  ///< [tiles][F][height][width]
  TileExtent* extents = nullptr;     ///< [tiles]
  /// Where a tile's largest magnitude is not in it, a power of two brings the tile near 1 and its responses
  /// back.
  MagnitudeRange range;
};

/// Pixels into tiles, near 1 where a transform asks for it. What is not finite is 0 there and marked in
/// `base.fallback`, and so is what is huge, where that is few.
void startStageTiles(const FftTiles& a, cudaStream_t stream);
void startTileResults(const FftTiles& a, cudaStream_t stream);

}  // namespace bankside::cuda
