#include <utility>

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/multichannel/fma/few_channels_bank.h"
#include "kernels/cuda/multichannel/fma/stage_channels.cuh"
#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/cuda/single_channel/any_size_kernel.cuh"
#include "kernels/cuda/single_channel/tile_kernel.cuh"

namespace bankside::cuda {

/// Narrow filters, of a width that is compiled: the tile form with a tile for every channel. Pixels of any
/// type are read once, sums stay in registers through all channels, results are combined before they are
/// written.
template <int filterWidth, int filtersPerPass, Fused fused>
__global__ void __launch_bounds__(256, 2)
    narrowFewChannelsKernel(const __grid_constant__ KernelArguments a, int channels,
                            std::ptrdiff_t channelStride) {
  constexpr TileShape shape = fewChannelsShape(filterWidth, filtersPerPass);
  extern __shared__ float4 tileUnits[];
  float* const tiles = reinterpret_cast<float*>(tileUnits);
  const BlockPlace place = placeOf(a);
  const int firstX = static_cast<int>(blockIdx.x) * shape.tileWidth();
  const int firstY = place.tileY * shape.tileHeight();
  const int tile = shape.stride() * shape.stagedRows(a.filterHeight);
  stageChannels<shape.stagedColumns(), 4>(a, tiles, tile, shape.stride(), shape.stagedColumns(),
                                          min(shape.tileHeight(), a.height - firstY) + a.filterHeight - 1,
                                          channels, channelStride, a.x + firstX - a.anchorX,
                                          a.y + firstY - a.anchorY);
  __syncthreads();

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int group = static_cast<int>(threadIdx.x) / 32;
  const int x = firstX + lane * shape.pixels;
  const int y = firstY + group * shape.rows;
  if (x >= a.width || y >= a.height) return;

  constexpr int rowTaps = shape.tapStride() * filtersPerPass;
  ResultSink<shape.rows, shape.pixels, fused> sink(a, place.firstFilter, x, y);
  const float* const own = tiles + group * shape.rows * shape.stride() + lane * shape.pixels;
  const int planeTaps = a.filterHeight * rowTaps;
#pragma unroll 1
  for (int filter = place.firstFilter; filter < place.endFilter; filter += filtersPerPass) {
    float sum[filtersPerPass][shape.rows][shape.pixels] = {};
    const float* taps = a.taps + static_cast<std::ptrdiff_t>(filter / filtersPerPass) * channels * planeTaps;
    const float* unit[3] = {own, own, own};
#pragma unroll 1
    for (int c = 0; c < channels; ++c, taps += planeTaps) {
      sumTapRowByTapRow<shape>(
          unit, [&](int ky) { return LoadedRow<filterWidth * filtersPerPass>(taps + ky * rowTaps); },
          a.filterHeight, sum);
#pragma unroll
      for (int i = 0; i < 3; ++i) unit[i] += tile;
    }
#pragma unroll
    for (int f = 0; f < filtersPerPass; ++f) {
      if (f == 0 || filter + f < place.endFilter) sink.take(a, filter + f, x, y, sum[f]);
    }
  }
  sink.finish(a, x, y);
}

/// The form of any size with a tile for every channel.
template <Fused fused>
__global__ void __launch_bounds__(256, 2)
    fewChannelsKernel(const __grid_constant__ KernelArguments a, int channels, std::ptrdiff_t channelStride) {
  using Shape = AnySizeShape;
  extern __shared__ float4 tileUnits[];
  const int stride = Shape::stride(1, a.filterWidth);
  const int tapStride = Shape::tapStride(a.filterWidth);
  const BlockPlace place = placeOf(a);
  const int firstX = static_cast<int>(blockIdx.x) * Shape::unitWidth;
  const int firstY = place.tileY * Shape::tileHeight;
  const int tile = stride * (Shape::tileHeight + a.filterHeight - 1);
  stageChannels<256, 4>(a, reinterpret_cast<float*>(tileUnits), tile, stride, stride,
                        min(Shape::tileHeight, a.height - firstY) + a.filterHeight - 1, channels,
                        channelStride, a.x + firstX - a.anchorX, a.y + firstY - a.anchorY);
  __syncthreads();

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int group = static_cast<int>(threadIdx.x) / 32;
  const int x = firstX + lane * Shape::unitPixels;
  const int y = firstY + group * Shape::rows;
  if (x >= a.width || y >= a.height) return;

  ResultSink<Shape::rows, Shape::unitPixels, fused> sink(a, place.firstFilter, x, y);
  const int planeTaps = a.filterHeight * tapStride;
#pragma unroll 1
  for (int filter = place.firstFilter; filter < place.endFilter; ++filter) {
    float sum[1][Shape::rows][4] = {};
    const float* taps = a.taps + static_cast<std::ptrdiff_t>(filter) * channels * planeTaps;
    const float4* row = tileUnits + group * Shape::rows * (stride / 4) + lane;
#pragma unroll 1
    for (int c = 0; c < channels; ++c, taps += planeTaps, row += tile / 4)
      addPlane<1>(taps, a.filterWidth, a.filterHeight, row, stride, sum);
    sink.take(a, filter, x, y, sum[0]);
  }
  sink.finish(a, x, y);
}

namespace {

template <int filterWidth, int filtersPerPass>
const void* narrowKernel(Fused fused) {
  switch (fused) {
    case Fused::None: return kernelAddress(narrowFewChannelsKernel<filterWidth, filtersPerPass, Fused::None>);
    case Fused::Value:
      return kernelAddress(narrowFewChannelsKernel<filterWidth, filtersPerPass, Fused::Value>);
    case Fused::Index: break;
  }
  return kernelAddress(narrowFewChannelsKernel<filterWidth, filtersPerPass, Fused::Index>);
}

template <int... widths>
const void* narrowKernelOf(int filterWidth, int filtersPerPass, Fused fused,
                           std::integer_sequence<int, widths...>) {
  const void* found = nullptr;
  ((filterWidth == widths + 1 ? void(found = filtersPerPass == 1 ? narrowKernel<widths + 1, 1>(fused)
                                                                 : narrowKernel<widths + 1, 2>(fused))
                              : void()),
   ...);
  return found;
}

}  // namespace

const void* fewChannelsKernelOf(int filterWidth, int filtersPerPass, Fused fused) {
  if (filterWidth <= mostNarrowWidth)
    return narrowKernelOf(filterWidth, filtersPerPass, fused,
                          std::make_integer_sequence<int, mostNarrowWidth>{});
  switch (fused) {
    case Fused::None: return kernelAddress(fewChannelsKernel<Fused::None>);
    case Fused::Value: return kernelAddress(fewChannelsKernel<Fused::Value>);
    case Fused::Index: break;
  }
  return kernelAddress(fewChannelsKernel<Fused::Index>);
}

}  // namespace bankside::cuda
