#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/multichannel/fma/few_channels_bank.h"
#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/cuda/single_channel/any_size_kernel.cuh"

namespace bankside::cuda {

/// The form of any size with a tile for every channel: pixels of any type are read once, sums stay in
/// registers through all channels, results are combined before they are written.
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
  const int stagedRows = min(Shape::tileHeight, a.height - firstY) + a.filterHeight - 1;
#pragma unroll 1
  for (int c = 0; c < channels; ++c)
    stageTile<256, 4>(a, reinterpret_cast<float*>(tileUnits) + c * tile, stride, stride, stagedRows, false,
                      a.x + firstX - a.anchorX, a.y + firstY - a.anchorY, c * channelStride);
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

const void* fewChannelsKernelOf(Fused fused) {
  switch (fused) {
    case Fused::None: return kernelAddress(fewChannelsKernel<Fused::None>);
    case Fused::Value: return kernelAddress(fewChannelsKernel<Fused::Value>);
    case Fused::Index: break;
  }
  return kernelAddress(fewChannelsKernel<Fused::Index>);
}

}  // namespace bankside::cuda
