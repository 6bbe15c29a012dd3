/// What f32 pixels are multiplied by before they are split: one power of two for all that a block reads. 0
/// where none is a number, where the scale times one of taps might leave f32, and where most of the block is
/// for direct sums anyway.
#pragma once

#include "kernels/cuda/device/warp_reduce.cuh"
#include "kernels/cuda/pixels/half_scale.h"
#include "kernels/cuda/tensor/put_groups.cuh"
#include "kernels/cuda/tensor/stage_groups.cuh"

namespace bankside::cuda {

/// Calls `use(pixel, column, row)` for all that a block reads of the image, columns and rows from its first
/// ones on; some come twice. `together`: loads that wait together, of two rows each.
template <int together, class Use>
__device__ __forceinline__ void forPixels(const TensorArguments& t, const GroupRows& rows, Use&& use) {
  const KernelArguments& a = t.base;
  const float* const pixels = static_cast<const float*>(a.src.pixels);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int column = rows.columnBeside(lane);
  const int edge = column < 0 ? -1 : edgeIndex(rows.x0 + column, a.src.width, a.border.kind);
  // From the last row up: the first ones are staged next, from the L2. Two rows at a time, a warp, so that
  // loads wait together. Where there is no second one it is the first row once more, where one has no pixels
  // the other.
  const int warps = static_cast<int>(blockDim.x) / 32;
#pragma unroll 1
  for (int row = rows.rows - 1 - static_cast<int>(threadIdx.x) / 32; row >= 0; row -= 2 * warps) {
    const int above = max(row - warps, 0);
    const int lower = rows.sourceRow(a, row);
    const int upper = rows.sourceRow(a, above);
    if (max(lower, upper) < 0) continue;
    const float* const one = pixels + (lower < 0 ? upper : lower) * a.src.stride;
    const float* const other = pixels + (upper < 0 ? lower : upper) * a.src.stride;
    if (edge >= 0) {
      use(__ldg(one + edge), column, row);
      use(__ldg(other + edge), column, above);
    }
#pragma unroll together
    for (int x = rows.x0 + rows.left + lane; x < rows.x0 + rows.right; x += 32) {
      use(__ldg(one + x), x - rows.x0, row);
      use(__ldg(other + x), x - rows.x0, above);
    }
  }
}

/// Whether direct sums would do so much of a block that they do all of it sooner: pixels that halves cannot
/// hold, times `scale`, lie in more than 5 of 16 pieces of it, which are about what a block of theirs does.
/// Called by the whole block; holds barriers.
__device__ __forceinline__ bool mostIsLeft(const TensorArguments& t, const GroupRows& rows, float scale) {
  constexpr int most = 32;
  __shared__ std::uint32_t pieces[most];  // a bit for 64 columns of some rows
  const int height = max(32, ceilDiv(rows.rows, most));
  if (threadIdx.x < most) pieces[threadIdx.x] = 0;
  __syncthreads();
  forPixels<1>(t, rows, [&](float pixel, int column, int row) {
    const float size = fabsf(pixel * scale);
    if (size < splitLimit && (size >= smallestSplit || pixel == 0.0f)) return;
    std::uint32_t& piece = pieces[row / height];
    const std::uint32_t bit = 1u << (column >> 6);
    if ((piece & bit) == 0) atomicOr(&piece, bit);
  });
  __syncthreads();
  int found = 0;
#pragma unroll 1
  for (const std::uint32_t piece : pieces) found += __popc(piece);
  return 16 * found > 5 * ceilDiv(rows.rows, height) * ceilDiv(rows.wanted, 64);
}

/// Of all that a block reads. Called by the whole block; holds barriers.
__device__ __forceinline__ BandScale bandScale(const TensorArguments& t, const GroupRows& rows) {
  const KernelArguments& a = t.base;
  // Magnitudes as bits, which compare as integers do; one less, so that zero is the largest.
  __shared__ std::uint32_t extremes[3];
  if (threadIdx.x < 3) extremes[threadIdx.x] = threadIdx.x == 1 ? ~0u : 0;
  __syncthreads();
  constexpr std::uint32_t infinite = 0x7f800000u;
  std::uint32_t most = 0;
  std::uint32_t least = ~0u;
  std::uint32_t strange = 0;
  const auto take = [&](float pixel, int, int) {
    const std::uint32_t magnitude = __float_as_uint(pixel) & 0x7fffffffu;
    if (magnitude >= infinite) strange = 1;
    most = max(most, magnitude < infinite ? magnitude : 0);
    least = min(least, magnitude - 1);
  };
  if (a.border.kind == BorderKind::Constant && rows.leaveImage(a)) take(a.border.value, 0, 0);
  forPixels<8>(t, rows, take);
  most = largestOfWarp(most);
  least = leastOfWarp(least);
  strange = largestOfWarp(strange);
  if (threadIdx.x % 32 == 0) {
    atomicMax(&extremes[0], most);
    atomicMin(&extremes[1], least);
    atomicMax(&extremes[2], strange);
  }
  __syncthreads();
  const float largest = __uint_as_float(extremes[0]);
  const bool finite = extremes[2] == 0;
  if (largest == 0.0f) return {finite ? 1.0f : 0.0f, finite, true};
  if (!(largest >= t.leastLargest && largest <= t.mostLargest)) return {0.0f, false, false};
  const float scale = __uint_as_float(halfScaleBits(extremes[0]));
  const bool held = __uint_as_float(extremes[1] + 1) * scale >= smallestSplit;
  if ((finite && held) || !mostIsLeft(t, rows, scale)) return {scale, finite, held};
  return {0.0f, finite, held};
}

}  // namespace bankside::cuda
