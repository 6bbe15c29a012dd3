#include "kernels/cuda/maps/window_kernels.h"

#include "kernels/cuda/maps/launch.cuh"

namespace bankside::cuda {
namespace {

__device__ __forceinline__ void take(float& most, float x) { most = x > most || x != x ? x : most; }

/// Of pixels `step` apart, of which `count` lie along the way and this is number `at`. Nearest ones first,
/// what comes before ahead of what comes behind.
__device__ __forceinline__ float dilated(const float* pixel, std::ptrdiff_t step, int at, int count,
                                         const float* weights, int reach) {
  float most = *pixel;
  for (int k = 1; k <= reach; ++k) {
    const float w = weights[k];
    if (at >= k) take(most, w * pixel[-k * step]);
    if (at + k < count) take(most, w * pixel[k * step]);
  }
  return most;
}

__global__ void __launch_bounds__(pixelThreads)
    dilateKernel(PlaneView<float> from, const float* weights, int reach, bool down, PlaneView<float> to) {
  forPixels(from.width, from.height, [&](int x, int y) {
    const float* const pixel = from.row(y) + x;
    to.at(x, y) = down ? dilated(pixel, from.stride, y, from.height, weights, reach)
                       : dilated(pixel, 1, x, from.width, weights, reach);
  });
}

__global__ void __launch_bounds__(pixelThreads)
    shiftKernel(PlaneView<float> from, int right, int down, PlaneView<float> to) {
  forPixels(from.width, from.height, [&](int x, int y) {
    to.at(x, y) = from.at(min(max(x - right, 0), from.width - 1), min(max(y - down, 0), from.height - 1));
  });
}

}  // namespace

void startDilate(const PlaneView<float>& from, const float* weights, int reach,
                 const PlaneView<float>& across, const PlaneView<float>& to, cudaStream_t stream) {
  launch(dilateKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, from, weights, reach,
         false, across);
  launch(dilateKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, across, weights,
         reach, true, to);
}

void startShift(const PlaneView<float>& from, int right, int down, const PlaneView<float>& to,
                cudaStream_t stream) {
  launch(shiftKernel, gridOver(from.width, from.height, highBlock), highBlock, stream, from, right, down, to);
}

}  // namespace bankside::cuda
