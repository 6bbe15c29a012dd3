/// What f32 pixels are multiplied by before they are split: one power of two for all that a block reads.
#pragma once

#include "kernels/cuda/device/warp_reduce.cuh"
#include "kernels/cuda/pixels/half_scale.h"
#include "kernels/cuda/tensor/put_groups.cuh"
#include "kernels/cuda/tensor/stage_groups.cuh"

namespace bankside::cuda {

/// Of all that a block reads. Called by the whole block; holds barriers.
__device__ __forceinline__ BandScale bandScale(const TensorArguments& t, const GroupRows& rows) {
  const KernelArguments& a = t.base;
  // Magnitudes as bits, which compare as integers do; one less, so that zero is the largest.
  __shared__ std::uint32_t extremes[3];
  if (threadIdx.x < 3) extremes[threadIdx.x] = threadIdx.x == 1 ? ~0u : 0;
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
    atomicMax(&extremes[0], most);
    atomicMin(&extremes[1], least);
    atomicMax(&extremes[2], strange);
  }
  __syncthreads();
  const float largest = __uint_as_float(extremes[0]);
  const bool strangers = extremes[2] != 0;
  if (largest == 0.0f) return {strangers ? 0.0f : 1.0f, !strangers};
  if (!(largest >= t.leastLargest && largest <= t.mostLargest)) return {0.0f, false};
  const float scale = __uint_as_float(halfScaleBits(extremes[0]));
  return {scale, !strangers && __uint_as_float(extremes[1] + 1) * scale >= smallestSplit};
}

}  // namespace bankside::cuda
