/// What f32 pixels are multiplied by before they are split: one power of two for all that a block reads.
#pragma once

#include "kernels/cuda/half_scale.h"
#include "kernels/cuda/tensor/stage_groups.cuh"

namespace bankside::cuda {

/// Of all that a block reads. Called by the whole block; holds barriers.
__device__ __forceinline__ BandScale bandScale(const KernelArguments& a, const GroupRows& rows) {
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
#pragma unroll 1
  for (int row = static_cast<int>(threadIdx.x) / 32; row < rows.rows;
       row += static_cast<int>(blockDim.x) / 32) {
    const int from = rows.sourceRow(a, row);
    if (from < 0) continue;
    const float* const source = pixels + from * a.src.stride;
    if (edge >= 0) take(__ldg(source + edge));
#pragma unroll 8
    for (int x = rows.left + lane; x < rows.right; x += 32) take(__ldg(source + rows.x0 + x));
  }
  most = __reduce_max_sync(~0u, most);
  least = __reduce_min_sync(~0u, least);
  strange = __reduce_max_sync(~0u, strange);
  if (lane == 0) {
    atomicMax(&extremes[0], most);
    atomicMin(&extremes[1], least);
    atomicMax(&extremes[2], strange);
  }
  __syncthreads();
  const float largest = __uint_as_float(extremes[0]);
  if (largest == 0.0f) return {1.0f, extremes[2] == 0};
  if (!(largest < mostLargestPixel && largest > leastLargestPixel)) return {0.0f, false};
  const float scale = __uint_as_float(halfScaleBits(extremes[0]));
  return {scale, extremes[2] == 0 && __uint_as_float(extremes[1] + 1) * scale >= smallestSplit};
}

}  // namespace bankside::cuda
