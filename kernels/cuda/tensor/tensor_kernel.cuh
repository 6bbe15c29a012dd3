/// The tensor-core kernel: pixels as words of two and taps as columns in shared memory, sums in registers.
///
/// With g = lane / 4 and t = lane % 4 a lane holds of the pixel matrix rows g and g + 8 and columns 2t, 2t +
/// 1, 2t + 8, 2t + 9; element (m, k) is pixel m + k, so that its words are the pixel pairs at g + 2t + {0, 8,
/// 8, 16}. Sums come out at rows g, g + 8 and columns 2t, 2t + 1: the two halves of one filter's taps.
#pragma once

#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/tensor/plain_tile.cuh"
#include "kernels/cuda/tensor/stage_pairs.cuh"
#include "kernels/cuda/tensor/tensor_arguments.h"
#include "kernels/cuda/tensor/tensor_results.cuh"

namespace bankside::cuda {

/// What a kernel is compiled for; the words are TensorLayout's. `stacked`: rowStep may be over 1.
///
/// The compiler keeps products asynchronous only where fragments and sums have registers to themselves:
/// chains and blocks a multiprocessor are the most for which it does, without a spill.
template <int columns_, bool paired_, PixelParts parts_, bool stacked_, Fused kept_>
struct TensorShape {
  static constexpr int columns = columns_;
  static constexpr bool paired = paired_;
  static constexpr PixelParts parts = parts_;
  static constexpr bool stacked = stacked_;
  static constexpr Fused kept = kept_;
  static constexpr bool fused = kept != Fused::None;
  static constexpr int rows = sumRows(columns, parts);
  static constexpr int planes = parts == PixelParts::Whole ? 1 : 2;
  static constexpr int sumSets = parts == PixelParts::Split ? 2 : 1;
  /// Instruction rows between two waits.
  static constexpr int chain = stacked ? 2 : columns == 64 ? 4 : 3;
  static constexpr int perStep = paired ? 2 : 1;
  static constexpr int stride = TensorBlock::stride(paired);
  static constexpr int minBlocks = 4;
};

template <class S>
using TensorSums = float[S::sumSets][S::rows][S::columns / 2];

/// The fragment whose first image row is `row`.
template <class S>
__device__ __forceinline__ void readPixels(std::uint32_t (&fragment)[4], const std::uint32_t* row) {
  fragment[0] = S::paired ? copyOf(row[0]) : row[0];
  fragment[1] = S::paired ? copyOf(row[8]) : row[8];
  if constexpr (S::paired) {
    fragment[2] = copyOf(row[S::stride]);
    fragment[3] = copyOf(row[S::stride + 8]);
  } else {
    fragment[2] = copyOf(fragment[1]);
    fragment[3] = row[16];
  }
}

/// `steps` instructions of every sum.
template <class S, int steps>
__device__ __forceinline__ void addSteps(TensorSums<S>& sums, const std::uint32_t* pixels, int planeWords,
                                         std::uint32_t taps, int rowStep) {
  // Rows of sums that stand for one image row each share fragments.
  constexpr int fragments = S::stacked ? S::rows * steps : S::rows + S::perStep * (steps - 1);
  std::uint32_t fragment[S::planes][fragments][4];
#pragma unroll
  for (int plane = 0; plane < S::planes; ++plane)
#pragma unroll
    for (int i = 0; i < fragments; ++i) {
      const int row = S::stacked ? rowStep * (i / steps) + S::perStep * (i % steps) : i;
      readPixels<S>(fragment[plane][i], pixels + plane * planeWords + row * S::stride);
    }
  beginProducts();
#pragma unroll
  for (int k = 0; k < steps; ++k)
#pragma unroll
    for (int plane = 0; plane < S::planes; ++plane)
#pragma unroll
      for (int r = 0; r < S::rows; ++r)
        addProducts<S::columns>(sums[plane * (S::sumSets - 1)][r],
                                fragment[plane][S::stacked ? r * steps + k : r + S::perStep * k],
                                taps + k * S::columns * 2);
  waitForProducts();
}

/// All taps of a sweep.
template <class S>
__device__ __forceinline__ void addTaps(TensorSums<S>& sums, const TensorLayout& layout,
                                        const std::uint32_t* row, int planeWords, std::uint32_t taps) {
  int left = layout.steps;
#pragma unroll 1
  for (; left >= S::chain; left -= S::chain) {
    addSteps<S, S::chain>(sums, row, planeWords, taps, layout.rowStep);
    row += S::chain * S::perStep * S::stride;
    taps += S::chain * S::columns * 2;
  }
  if (S::chain > 3 && left == 3) addSteps<S, 3>(sums, row, planeWords, taps, layout.rowStep);
  if (S::chain > 2 && left == 2) addSteps<S, 2>(sums, row, planeWords, taps, layout.rowStep);
  if (left == 1) addSteps<S, 1>(sums, row, planeWords, taps, layout.rowStep);
#pragma unroll
  for (auto& set : sums)
#pragma unroll
    for (auto& sumRow : set) settle(sumRow);
}

/// The results of a pass for one strip, in `results`. Sweeps are added in f32: a long chain of sums that are
/// cut off errs more than rounded ones.
template <class S>
__device__ __forceinline__ void multiply(const TensorLayout& layout, const std::uint32_t* pixels,
                                         int planeWords, std::uint32_t taps, float* results, int lane) {
#pragma unroll 1
  for (int sweep = 0; sweep < layout.sweeps; ++sweep) {
    TensorSums<S> sums = {};
    addTaps<S>(sums, layout, pixels + 16 * sweep, planeWords, taps + sweep * layout.steps * S::columns * 2);
    __syncwarp();
    putResults<S>(sums, results, lane, sweep > 0);
  }
  __syncwarp();
}

/// The taps and slots of a pass to shared memory. Called by the whole block.
__device__ __forceinline__ void loadPass(const TensorArguments& a, int pass, void* taps, Slot* slots) {
  const int units = a.layout.passBytes() / 16;
  const uint4* from = static_cast<const uint4*>(a.packedTaps) + pass * units;
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x); i < units; i += TensorBlock::threads)
    static_cast<uint4*>(taps)[i] = __ldg(from + i);
  const int i = static_cast<int>(threadIdx.x);
  if (i < a.layout.slots()) {
    const int of = pass * a.layout.slots() + i;
    const int filter = of / a.layout.rowStep;
    const bool any = filter < a.base.filterCount;
    const int below = of % a.layout.rowStep;
    const std::ptrdiff_t plane = a.base.combine == Combine::None ? filter * a.base.dst.planeStride : 0;
    slots[i] = {plane + below * a.base.dst.stride, any ? __ldg(a.scales + filter) : 0.0f,
                any ? below : Slot::none};
  }
  showToProducts();
}

template <class S>
__global__ void __launch_bounds__(TensorBlock::threads, S::minBlocks)
    tensorKernel(const __grid_constant__ TensorArguments a) {
  extern __shared__ __align__(128) std::uint32_t shared[];
  __shared__ Slot slots[S::columns / 2];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int rowStep = S::stacked ? a.layout.rowStep : 1;
  const int stripRows = S::rows * rowStep;
  const int x0 = static_cast<int>(blockIdx.x) * TensorBlock::width;
  const int y0 = static_cast<int>(blockIdx.y) * a.strips * stripRows;
  const int rows = a.strips * stripRows - rowStep + a.layout.reach();
  const int planeWords = S::stride * rows;
  // [taps][results of each warp][pixels]
  float* const results =
      reinterpret_cast<float*>(shared + a.layout.passBytes() / 4) + warp * ResultTile<S>::words;
  std::uint32_t* const staged = shared + a.layout.passBytes() / 4 + 4 * ResultTile<S>::words;
  const int firstPass = S::fused ? 0 : static_cast<int>(blockIdx.z);
  loadPass(a, firstPass, shared, slots);
  const int firstColumn = a.base.x + x0 - a.base.anchorX;
  const int shift = firstColumn & 3;
  const float pixelScale =
      stagePairs<S::parts, S::stride>(a.base, staged, TensorBlock::words(a.layout, shift), rows,
                                      firstColumn - shift, a.base.y + y0 - a.base.anchorY);
  if (pixelScale == 0.0f) {
    if (firstPass == 0) plainTile(a.base, x0, y0, a.strips * stripRows);
    return;
  }

  const int x = x0 + warp * 16;
  const std::uint32_t* const origin = staged + shift + warp * 16 + lane / 4 + lane % 4 * 2;
#pragma unroll 1
  for (int strip = 0; strip < a.strips; ++strip) {
    const int y = y0 + strip * stripRows;
    if (y >= a.base.height) return;
    const std::uint32_t* const pixels = origin + strip * stripRows * S::stride;
    if constexpr (!S::fused) {
      multiply<S>(a.layout, pixels, planeWords, columnsAt(shared), results, lane);
      writeResults<S>(a.base, results, slots, pixelScale, rowStep, x, y, lane);
    } else {
      CombinedRun<S> run;
#pragma unroll 1
      for (int pass = 0; pass < a.layout.passes; ++pass) {
        if (a.layout.passes > 1 && (strip > 0 || pass > 0)) {
          __syncthreads();
          loadPass(a, pass, shared, slots);
          __syncthreads();
        }
        multiply<S>(a.layout, pixels, planeWords, columnsAt(shared), results, lane);
        run.take(a.base, results, slots, pixelScale, pass * (S::columns / 2), lane);
      }
      run.finish(a.base, x, y, lane);
    }
  }
}

}  // namespace bankside::cuda
