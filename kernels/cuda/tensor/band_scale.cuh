/// What f32 pixels are multiplied by before they are split: one power of two for all that a block reads.
#pragma once

#include "kernels/cuda/tensor/stage_groups.cuh"

namespace bankside::cuda {

/// The power of two that brings `largest` to [2^14, 2^15).
__device__ __forceinline__ float pixelScaleFor(float largest) {
  const int exponent = static_cast<int>(__float_as_uint(largest) >> 23 & 255u);
  return __uint_as_float(static_cast<std::uint32_t>(127 + 14 + 127 - exponent) << 23);
}

/// The largest finite magnitude among the f32 pixels of `rows` and a constant border, as bits: they compare
/// as integers do. Called by the whole block; holds barriers.
__device__ __forceinline__ std::uint32_t largestOf(const KernelArguments& a, const GroupRows& rows) {
  __shared__ std::uint32_t largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  const float* const pixels = static_cast<const float*>(a.src.pixels);
  const int left = max(0, rows.x0);
  const int right = min(rows.x0 + rows.wanted, a.src.width);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  std::uint32_t most = 0;
  const auto take = [&](float pixel) {
    const std::uint32_t magnitude = __float_as_uint(pixel) & 0x7fffffffu;
    most = max(most, magnitude < 0x7f800000u ? magnitude : 0);
  };
  if (a.border.kind == BorderKind::Constant) take(a.border.value);
  // Of a row's pixels beside the image, at most one a lane.
  const int column = lane < left - rows.x0 ? lane : lane - (left - rows.x0) + right - rows.x0;
  const int edge = column < rows.wanted ? edgeIndex(rows.x0 + column, a.src.width, a.border.kind) : -1;
#pragma unroll 1
  for (int row = static_cast<int>(threadIdx.x) / 32; row < rows.rows;
       row += static_cast<int>(blockDim.x) / 32) {
    const int from = rows.sourceRow(a, row);
    if (from < 0) continue;
    const float* const source = pixels + from * a.src.stride;
    if (edge >= 0) take(__ldg(source + edge));
#pragma unroll 8
    for (int x = left + lane; x < right; x += 32) take(__ldg(source + x));
  }
  most = __reduce_max_sync(~0u, most);
  if (threadIdx.x % 32 == 0) atomicMax(&largest, most);
  __syncthreads();
  return largest;
}

/// That scale; 0 where the largest is so large or small that its scale times one of taps might leave the
/// range of f32. Called by the whole block; holds barriers.
__device__ __forceinline__ float bandScale(const KernelArguments& a, const GroupRows& rows) {
  const float largest = __uint_as_float(largestOf(a, rows));
  if (largest == 0.0f) return 1.0f;
  return largest < mostLargestPixel && largest > leastLargestPixel ? pixelScaleFor(largest) : 0.0f;
}

}  // namespace bankside::cuda
