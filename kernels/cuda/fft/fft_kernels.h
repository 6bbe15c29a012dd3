/// The kernels around the transforms: pixels into tiles, responses out of them.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/fft/fft_layout.h"
#include "kernels/cuda/pixels/kernel_arguments.h"

namespace bankside::cuda {

/// One launch's share of the tiles of a result; tiles count row by row from the result's corner.
struct FftTiles {
  KernelArguments base;  ///< its taps are [F][kh][kw]
  FftLayout layout;      ///< tilesX of the result
  int firstTile = 0;
  int tiles = 0;
  float* pixels = nullptr;           ///< [tiles][height][width]
  const float* responses = nullptr;  ///< [tiles][F][height][width]
  std::uint32_t* largest = nullptr;  ///< [tiles]: bits of the largest magnitude, above all of NaN
  float leastPixel = 0;              ///< a tile is transformed if its largest magnitude is 0 or from here
  float mostPixel = 0;               ///< to here; else it is summed directly
};

/// Pixels into tiles, and `largest`.
void startStageTiles(const FftTiles& a, cudaStream_t stream);
void startTileResults(const FftTiles& a, cudaStream_t stream);

}  // namespace bankside::cuda
