/// What f32 pixels are multiplied by before they are split: one power of two for all that a block reads. 0
/// where the scale times one of taps might leave f32, and where direct sums would do
/// most of the block anyway.
#pragma once

#include "kernels/cuda/device/warp_reduce.cuh"
#include "kernels/cuda/pixels/half_scale.h"
#include "kernels/cuda/tensor/put_groups.cuh"
#include "kernels/cuda/tensor/stage_groups.cuh"

namespace bankside::cuda {

/// Whether direct sums would do so much of a block that they do all of it sooner: in every eighth row, pixels
/// that halves cannot hold, times `scale`, lie in more than 5 of 16 pieces of 64 columns by some 32 rows,
/// which are about what a block of theirs does. Called by the whole block; holds barriers.
__device__ __forceinline__ bool mostIsLeft(const TensorArguments& t, const GroupRows& rows, float scale) {
  constexpr int most = 32;
  __shared__ std::uint32_t pieces[most];  // a bit for 64 columns of some rows
  const int height = max(32, ceilDiv(rows.rows, most));
  if (threadIdx.x < most) pieces[threadIdx.x] = 0;
  __syncthreads();
  const KernelArguments& a = t.base;
  const float* const pixels = static_cast<const float*>(a.src.pixels) + rows.x0;
  const int warps = static_cast<int>(blockDim.x) / 32;
#pragma unroll 1
  for (int row = 8 * (static_cast<int>(threadIdx.x) / 32); row < rows.rows; row += 8 * warps) {
    const int source = rows.sourceRow(a, row);
    if (source < 0) continue;
#pragma unroll 4
    for (int x = rows.left + static_cast<int>(threadIdx.x) % 32; x < rows.right; x += 32) {
      const float pixel = fabsf(__ldg(pixels + source * a.src.stride + x) * scale);
      // NaN and infinities are mended.
      if (!(pixel < smallestSplit) || pixel == 0.0f) continue;
      std::uint32_t& piece = pieces[row / height];
      const std::uint32_t bit = 1u << (x >> 6);
      if ((piece & bit) == 0) atomicOr(&piece, bit);
    }
  }
  __syncthreads();
  int found = 0;
#pragma unroll 1
  for (const std::uint32_t piece : pieces) found += __popc(piece);
  return 16 * found > 5 * ceilDiv(rows.rows, height) * ceilDiv(rows.wanted, 64);
}

/// Of all that a block reads. Called by the whole block; holds barriers.
__device__ __forceinline__ BandScale bandScale(const TensorArguments& t, const GroupRows& rows) {
  const KernelArguments& a = t.base;
  BandExtremes& extremes = bandExtremes();
  if (threadIdx.x == 0) extremes = {0, ~0u, 0};
  __syncthreads();
  const float* const pixels = static_cast<const float*>(a.src.pixels);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  constexpr std::uint32_t infinite = 0x7f800000u;
  std::uint32_t most = 0;
  std::uint32_t least = ~0u;
  std::uint32_t strange = 0;
  const auto take = [&](float pixel) {
    const std::uint32_t magnitude = __float_as_uint(pixel) & 0x7fffffffu;
    if (magnitude >= infinite) strange = 1;
    most = max(most, magnitude < infinite ? magnitude : 0);
    least = min(least, magnitude - 1);
  };
  if (a.border.kind == BorderKind::Constant && rows.leaveImage(a)) take(a.border.value);
  const int column = rows.columnBeside(lane);
  const int edge = column < 0 ? -1 : edgeIndex(rows.x0 + column, a.src.width, a.border.kind);
  // From the last row up: the first ones are staged next, from the L2. Two rows at a time, a warp, so that
  // loads wait together. Where there is no second one it is the first row once more, where one has no pixels
  // the other.
  const int warps = static_cast<int>(blockDim.x) / 32;
#pragma unroll 1
  for (int row = rows.rows - 1 - static_cast<int>(threadIdx.x) / 32; row >= 0; row -= 2 * warps) {
    const int lower = rows.sourceRow(a, row);
    const int upper = rows.sourceRow(a, max(row - warps, 0));
    if (max(lower, upper) < 0) continue;
    const float* const one = pixels + (lower < 0 ? upper : lower) * a.src.stride;
    const float* const other = pixels + (upper < 0 ? lower : upper) * a.src.stride;
    if (edge >= 0) {
      take(__ldg(one + edge));
      take(__ldg(other + edge));
    }
#pragma unroll 8
    for (int x = rows.x0 + rows.left + lane; x < rows.x0 + rows.right; x += 32) {
      take(__ldg(one + x));
      take(__ldg(other + x));
    }
  }
  most = largestOfWarp(most);
  least = leastOfWarp(least);
  strange = largestOfWarp(strange);
  if (lane == 0) {
    atomicMax(&extremes.largest, most);
    atomicMin(&extremes.leastLessOne, least);
    atomicMax(&extremes.strange, strange);
  }
  __syncthreads();
  const float largest = __uint_as_float(extremes.largest);
  const bool strangers = extremes.strange != 0;
  if (largest == 0.0f) return {1.0f, !strangers};
  if (!(largest >= t.leastLargest && largest <= t.mostLargest)) return {0.0f, false};
  const float scale = __uint_as_float(halfScaleBits(extremes.largest));
  const bool held = halvesHold(extremes.leastLessOne, scale);
  return {held || !mostIsLeft(t, rows, scale) ? scale : 0.0f, held && !strangers};
}

}  // namespace bankside::cuda
