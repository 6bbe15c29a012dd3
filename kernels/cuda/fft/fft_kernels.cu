#include "kernels/cuda/fft/fft_kernels.h"

#include <limits>

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/device/warp_reduce.cuh"
#include "kernels/cuda/pixels/direct_pixel.cuh"
#include "kernels/cuda/pixels/mark_fallback.cuh"
#include "kernels/cuda/pixels/result_sink.cuh"
#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {
namespace {

constexpr int stageThreads = 256;
constexpr int warpsAResultBlock = 4;
constexpr int pixelsAThread = 4;
constexpr float mostFinite = std::numeric_limits<float>::max();
constexpr int scaleBlocks = 32;  // of a tile

/// A tile's corner in the result.
__device__ __forceinline__ int2 cornerOf(const FftTiles& t, unsigned number) {
  const int tile = t.firstTile + static_cast<int>(number);
  return {tile % t.layout.tilesX * t.layout.stepX, tile / t.layout.tilesX * t.layout.stepY};
}

/// Whether the tile has huge pixels, which are left to direct sums.
__device__ __forceinline__ bool leavesHuge(const FftTiles& t, const TileExtent& e) {
  return e.huge != 0 && bankside::leavesHuge(e.huge, t.layout.width * t.layout.height);
}

/// The power of two that brings a tile near 1; 0: it is as it is.
__device__ __forceinline__ int exponentFor(const FftTiles& t, const TileExtent& e) {
  const float largest = __uint_as_float(leavesHuge(t, e) ? e.largestPlain : e.largest);
  return t.range.holds(largest) ? 0 : -ilogbf(largest);
}

__global__ void __launch_bounds__(stageThreads) clearKernel(TileExtent* extents, int count) {
  const int i = static_cast<int>(blockIdx.x * stageThreads + threadIdx.x);
  if (i < count) extents[i] = {0, 0, 0};
}

/// Pixels that no result of the launch needs are 0: their rows may not be in the source.
__global__ void __launch_bounds__(stageThreads) stageTilesKernel(const __grid_constant__ FftTiles t) {
  const KernelArguments& a = t.base;
  const int2 corner = cornerOf(t, blockIdx.y);
  const int i = static_cast<int>(blockIdx.x) * stageThreads + static_cast<int>(threadIdx.x);
  const int x = i % t.layout.width;
  const int y = i / t.layout.width;
  const bool needed =
      corner.x + x < a.width + a.filterWidth - 1 && corner.y + y < a.height + a.filterHeight - 1;
  float pixel = needed ? pixelOf(a, rowAt(a, corner.y + y), corner.x + x) : 0.0f;
  if (!(fabsf(pixel) <= mostFinite)) {
    markPixels(a.fallback, corner.x + x, corner.y + y, 1, Mark::NotFinite);
    pixel = 0.0f;
  }
  t.pixels[static_cast<std::ptrdiff_t>(blockIdx.y) * t.layout.width * t.layout.height + i] = pixel;
  const float size = fabsf(pixel);
  const bool huge = size > t.range.most;
  const std::uint32_t bits = largestOfWarp(__float_as_uint(size));
  const std::uint32_t plain = largestOfWarp(huge ? 0 : __float_as_uint(size));
  const std::uint32_t count = sumOfWarp(huge ? 1 : 0);
  if (threadIdx.x % 32 != 0 || bits == 0) return;
  TileExtent& extent = t.extents[blockIdx.y];
  atomicMax(&extent.largest, bits);
  atomicMax(&extent.largestPlain, plain);
  if (count != 0) atomicAdd(&extent.huge, count);
}

__global__ void __launch_bounds__(stageThreads) scaleTilesKernel(const __grid_constant__ FftTiles t) {
  const TileExtent extent = t.extents[blockIdx.y];
  const int exponent = exponentFor(t, extent);
  const bool leaves = leavesHuge(t, extent);
  if (exponent == 0 && !leaves) return;
  const PowerOfTwo power(exponent);
  const int2 corner = cornerOf(t, blockIdx.y);
  const int count = t.layout.width * t.layout.height;
  float* const tile = t.pixels + static_cast<std::ptrdiff_t>(blockIdx.y) * count;
  for (int i = static_cast<int>(blockIdx.x) * stageThreads + static_cast<int>(threadIdx.x); i < count;
       i += scaleBlocks * stageThreads) {
    float pixel = tile[i];
    if (leaves && fabsf(pixel) > t.range.most) {
      markPixels(t.base.fallback, corner.x + i % t.layout.width, corner.y + i / t.layout.width, 1,
                 Mark::Sums);
      pixel = 0.0f;
    }
    tile[i] = pixel * power.first * power.second;
  }
}

template <Fused fused>
__global__ void __launch_bounds__(32 * warpsAResultBlock)
    tileResultsKernel(const __grid_constant__ FftTiles t) {
  const KernelArguments& a = t.base;
  const FftLayout& l = t.layout;
  const int2 corner = cornerOf(t, blockIdx.z);
  const int column =
      static_cast<int>(blockIdx.x) * 32 * pixelsAThread + static_cast<int>(threadIdx.x) % 32 * pixelsAThread;
  const int row = static_cast<int>(blockIdx.y) * warpsAResultBlock + static_cast<int>(threadIdx.x) / 32;
  const int x = corner.x + column;
  const int y = corner.y + row;
  if (column >= l.stepX || row >= l.stepY || x >= a.width || y >= a.height) return;
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(l.width) * l.height;
  const float* from = t.responses + blockIdx.z * plane * a.filterCount + row * l.width + column;
  const int exponent = exponentFor(t, t.extents[blockIdx.z]);
  const PowerOfTwo back(-exponent);
  ResultSink<1, pixelsAThread, fused> sink(a, 0, x, y);
#pragma unroll 1
  for (int f = 0; f < a.filterCount; ++f, from += plane) {
    const float4 four = __ldcs(reinterpret_cast<const float4*>(from));
    float sum[1][pixelsAThread] = {{four.x, four.y, four.z, four.w}};
    if (exponent != 0) {
#pragma unroll
      for (float& each : sum[0]) each = each * back.first * back.second;
    }
    sink.take(a, f, x, y, sum);
  }
  sink.finish(a, x, y);
}

const void* resultsKernelOf(Fused fused) {
  switch (fused) {
    case Fused::None: return kernelAddress(tileResultsKernel<Fused::None>);
    case Fused::Value: return kernelAddress(tileResultsKernel<Fused::Value>);
    case Fused::Index: break;
  }
  return kernelAddress(tileResultsKernel<Fused::Index>);
}

}  // namespace

void startStageTiles(const FftTiles& a, cudaStream_t stream) {
  FftTiles copy = a;
  void* cleared[] = {&copy.extents, &copy.tiles};
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(clearKernel),
                                       dim3(static_cast<unsigned>(ceilDiv(a.tiles, stageThreads))),
                                       dim3(stageThreads), cleared, 0, stream));
  void* arguments[] = {&copy};
  const dim3 grid(static_cast<unsigned>(a.layout.pixels() / stageThreads), static_cast<unsigned>(a.tiles));
  BANKSIDE_CUDA_CHECK(
      cudaLaunchKernel(kernelAddress(stageTilesKernel), grid, dim3(stageThreads), arguments, 0, stream));
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(scaleTilesKernel),
                                       dim3(scaleBlocks, static_cast<unsigned>(a.tiles)), dim3(stageThreads),
                                       arguments, 0, stream));
}

void startTileResults(const FftTiles& a, cudaStream_t stream) {
  FftTiles copy = a;
  void* arguments[] = {&copy};
  const dim3 grid(static_cast<unsigned>(ceilDiv(a.layout.stepX, 32 * pixelsAThread)),
                  static_cast<unsigned>(ceilDiv(a.layout.stepY, warpsAResultBlock)),
                  static_cast<unsigned>(a.tiles));
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(resultsKernelOf(fusedOf(a.base.combine)), grid,
                                       dim3(32 * warpsAResultBlock), arguments, 0, stream));
}

}  // namespace bankside::cuda
