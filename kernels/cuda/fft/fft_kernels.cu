#include "kernels/cuda/fft/fft_kernels.h"

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/pixels/direct_pixel.cuh"
#include "kernels/cuda/pixels/result_sink.cuh"
#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {
namespace {

constexpr int stageThreads = 256;
constexpr int warpsAResultBlock = 4;
constexpr int pixelsAThread = 4;
constexpr int directThreads = 128;
constexpr int directBlocks = 64;  // of a tile

/// A tile's corner in the result.
__device__ __forceinline__ int2 cornerOf(const FftTiles& t, unsigned number) {
  const int tile = t.firstTile + static_cast<int>(number);
  return {tile % t.layout.tilesX * t.layout.stepX, tile / t.layout.tilesX * t.layout.stepY};
}

/// Whether a transform would spoil the tile.
__device__ __forceinline__ bool sumsDirectly(const FftTiles& t, unsigned number) {
  const std::uint32_t largest = __ldg(t.largest + number);
  return largest != 0 && (largest < __float_as_uint(t.leastPixel) || largest > __float_as_uint(t.mostPixel));
}

__global__ void __launch_bounds__(stageThreads) clearKernel(std::uint32_t* values, int count) {
  const int i = static_cast<int>(blockIdx.x * stageThreads + threadIdx.x);
  if (i < count) values[i] = 0;
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
  const float pixel = needed ? pixelOf(a, rowAt(a, corner.y + y), corner.x + x) : 0.0f;
  t.pixels[static_cast<std::ptrdiff_t>(blockIdx.y) * t.layout.width * t.layout.height + i] = pixel;
  const std::uint32_t bits = __reduce_max_sync(0xffffffffu, __float_as_uint(fabsf(pixel)));
  if (threadIdx.x % 32 == 0 && bits != 0) atomicMax(t.largest + blockIdx.y, bits);
}

/// Tiles that a transform would spoil, pixel by pixel in direct order. Slow and rare.
__global__ void __launch_bounds__(directThreads, 1) directTilesKernel(const __grid_constant__ FftTiles t) {
  const KernelArguments& a = t.base;
  if (!sumsDirectly(t, blockIdx.y)) return;
  const int2 corner = cornerOf(t, blockIdx.y);
  const int pixels = t.layout.stepX * t.layout.stepY;
#pragma unroll 1
  for (int i = static_cast<int>(blockIdx.x * directThreads + threadIdx.x); i < pixels;
       i += directBlocks * directThreads) {
    const int x = corner.x + i % t.layout.stepX;
    const int y = corner.y + i / t.layout.stepX;
    if (x < a.width && y < a.height) directPixel(a, x, y);
  }
}

template <Fused fused>
__global__ void __launch_bounds__(32 * warpsAResultBlock)
    tileResultsKernel(const __grid_constant__ FftTiles t) {
  const KernelArguments& a = t.base;
  const FftLayout& l = t.layout;
  if (sumsDirectly(t, blockIdx.z)) return;
  const int2 corner = cornerOf(t, blockIdx.z);
  const int column =
      static_cast<int>(blockIdx.x) * 32 * pixelsAThread + static_cast<int>(threadIdx.x) % 32 * pixelsAThread;
  const int row = static_cast<int>(blockIdx.y) * warpsAResultBlock + static_cast<int>(threadIdx.x) / 32;
  const int x = corner.x + column;
  const int y = corner.y + row;
  if (column >= l.stepX || row >= l.stepY || x >= a.width || y >= a.height) return;
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(l.width) * l.height;
  const float* from = t.responses + blockIdx.z * plane * a.filterCount + row * l.width + column;
  ResultSink<1, pixelsAThread, fused> sink(a, 0, x, y);
#pragma unroll 1
  for (int f = 0; f < a.filterCount; ++f, from += plane) {
    const float4 four = __ldcs(reinterpret_cast<const float4*>(from));
    const float sum[1][pixelsAThread] = {{four.x, four.y, four.z, four.w}};
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
  void* cleared[] = {&copy.largest, &copy.tiles};
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(clearKernel),
                                       dim3(static_cast<unsigned>(ceilDiv(a.tiles, stageThreads))),
                                       dim3(stageThreads), cleared, 0, stream));
  void* arguments[] = {&copy};
  const dim3 grid(static_cast<unsigned>(a.layout.pixels() / stageThreads), static_cast<unsigned>(a.tiles));
  BANKSIDE_CUDA_CHECK(
      cudaLaunchKernel(kernelAddress(stageTilesKernel), grid, dim3(stageThreads), arguments, 0, stream));
}

void startTileResults(const FftTiles& a, cudaStream_t stream) {
  FftTiles copy = a;
  void* arguments[] = {&copy};
  const dim3 grid(static_cast<unsigned>(ceilDiv(a.layout.stepX, 32 * pixelsAThread)),
                  static_cast<unsigned>(ceilDiv(a.layout.stepY, warpsAResultBlock)),
                  static_cast<unsigned>(a.tiles));
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(resultsKernelOf(fusedOf(a.base.combine)), grid,
                                       dim3(32 * warpsAResultBlock), arguments, 0, stream));
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(directTilesKernel),
                                       dim3(directBlocks, static_cast<unsigned>(a.tiles)),
                                       dim3(directThreads), arguments, 0, stream));
}

}  // namespace bankside::cuda
