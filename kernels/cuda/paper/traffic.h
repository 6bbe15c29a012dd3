/// What a tile of Algorithms 1 and 2 moves, counted with a pencil: no CUDA, tested without a GPU.
///
/// Source  Chen et al., DAC 2017, section 4: what is held against it is a blocked GEMM over windows, whose
/// blocks make the same filters and pixels.
#pragma once

#include "core/problem.h"
#include "kernels/cuda/multichannel/fma/block_shape.h"

namespace bankside::cuda {

/// Of Algorithm 1, a pixel's loads from global memory: a block of width x height pixels and its halo, which
/// is padded to whole units of `unitPixels`.
double specialPixelShare(int unitPixels, int width, int height, int filterSize);

/// Thread blocks of an unsplit launch.
double blocksOf(const BlockShape& shape, const ConvolutionProblem& problem);

/// Of the pixels that the GEMM method's block loads for a channel, W H K^2, those that ours does: the tile
/// with its halo, once. The paper's 1 / K is this for rows alone.
double globalPixelShare(const BlockShape& shape, int filterHeight, int filterWidth);

/// Bytes that blocks load from global memory: tiles with their halos, and taps.
double globalLoadBytes(const BlockShape& shape, const ConvolutionProblem& problem);
/// The same of the GEMM method.
double gemmLoadBytes(const BlockShape& shape, const ConvolutionProblem& problem);

/// Of one float a tap and sum, the floats of pixels that a thread reads from shared memory, in whole 16-byte
/// units: the paper's (W_T + K - 1) / (W_T K) rounded up to them.
double sharedPixelShare(const BlockShape& shape, int filterWidth);

/// Load instructions from shared memory, of warps, for pixels and taps, both in 16-byte units.
double sharedLoads(const BlockShape& shape, const ConvolutionProblem& problem);

}  // namespace bankside::cuda
