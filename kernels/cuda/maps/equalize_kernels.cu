#include "kernels/cuda/maps/equalize_kernels.h"

#include "kernels/cuda/maps/field_map.cuh"
#include "kernels/cuda/maps/launch.cuh"

namespace bankside::cuda {
namespace {

constexpr int bins = EqualizeTiles::bins;

/// A tile a block, a bin a thread.
__global__ void __launch_bounds__(bins)
    levelsKernel(PlaneView<float> from, EqualizeTiles tiles, double clip, double* levels) {
  __shared__ std::uint32_t histogram[bins];
  __shared__ double counts[bins];
  __shared__ double made[bins];
  const auto thread = static_cast<int>(threadIdx.x);
  const int left = static_cast<int>(blockIdx.x) * tiles.width;
  const int top = static_cast<int>(blockIdx.y) * tiles.height;
  const int right = min(left + tiles.width, from.width);
  const int bottom = min(top + tiles.height, from.height);
  histogram[thread] = 0;
  __syncthreads();
  for (int y = top; y < bottom; ++y) {
    for (int x = left + thread; x < right; x += bins) {
      const float value = from.at(x, y);
      if (isFinite(value)) atomicAdd(&histogram[EqualizeTiles::binOf(value)], 1u);
    }
  }
  __syncthreads();
  counts[thread] = histogram[thread];
  __syncthreads();
  if (thread == 0) {
    double pixels = 0;
    for (const double count : counts) pixels += count;
    EqualizeTiles::makeLevels(counts, pixels, clip, made);
  }
  __syncthreads();
  levels[(static_cast<std::ptrdiff_t>(blockIdx.y) * tiles.across + blockIdx.x) * bins + thread] =
      made[thread];
}

__global__ void __launch_bounds__(pixelThreads)
    equalizeKernel(PlaneView<float> from, EqualizeTiles tiles, const double* levels, PlaneView<float> to) {
  forPixels(from.width, from.height, [&](int x, int y) {
    const float value = from.at(x, y);
    if (!isFinite(value)) {
      to.at(x, y) = value;
      return;
    }
    const EqualizeTiles::Between rows = EqualizeTiles::between(y, tiles.height, tiles.down);
    const EqualizeTiles::Between columns = EqualizeTiles::between(x, tiles.width, tiles.across);
    const double* const mine = levels + EqualizeTiles::binOf(value);
    const auto at = [&](int tileX, int tileY) {
      return mine[(static_cast<std::ptrdiff_t>(tileY) * tiles.across + tileX) * bins];
    };
    const double upperLeft = at(columns.first, rows.first);
    const double lowerLeft = at(columns.first, rows.second);
    const double upper = upperLeft + columns.share * (at(columns.second, rows.first) - upperLeft);
    const double lower = lowerLeft + columns.share * (at(columns.second, rows.second) - lowerLeft);
    to.at(x, y) = static_cast<float>(upper + rows.share * (lower - upper));
  });
}

}  // namespace

void startEqualize(const PlaneView<float>& from, const EqualizeTiles& tiles, double clip, double* levels,
                   const PlaneView<float>& to, cudaStream_t stream) {
  launch(levelsKernel, {static_cast<unsigned>(tiles.across), static_cast<unsigned>(tiles.down)}, bins, stream,
         from, tiles, clip, levels);
  launch(equalizeKernel, gridOver(from.width, from.height, wideBlock), wideBlock, stream, from, tiles, levels,
         to);
}

}  // namespace bankside::cuda
