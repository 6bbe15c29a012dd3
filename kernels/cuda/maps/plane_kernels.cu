#include "kernels/cuda/maps/plane_kernels.h"

#include <algorithm>

#include "kernels/cuda/maps/launch.cuh"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {
namespace {

constexpr int threadsAcross = 64;
constexpr int threadsDown = 4;
constexpr unsigned mostGridRows = 65535;

/// Calls use(x, y) for the thread's pixels of a plane.
template <class T, class Use>
__device__ __forceinline__ void forPixels(const PlaneView<T>& plane, const Use& use) {
  const int x = static_cast<int>(blockIdx.x * threadsAcross + threadIdx.x);
  if (x >= plane.width) return;
  for (int y = static_cast<int>(blockIdx.y * threadsDown + threadIdx.y); y < plane.height;
       y += static_cast<int>(gridDim.y * threadsDown))
    use(x, y);
}

__global__ void __launch_bounds__(threadsAcross* threadsDown)
    resampleKernel(PlaneView<float> from, DeviceShares shares, bool down, PlaneView<float> to) {
  forPixels(to, [&](int x, int y) {
    const int place = down ? y : x;
    const int begin = shares.begins[place];
    const int end = shares.begins[place + 1];
    const float* pixel = down ? from.row(shares.firsts[y]) + x : from.row(y) + shares.firsts[x];
    const std::ptrdiff_t step = down ? from.stride : 1;
    float sum = 0;
    for (int k = begin; k < end; ++k, pixel += step) sum += shares.weights[k] * *pixel;
    to.at(x, y) = sum;
  });
}

__global__ void __launch_bounds__(threadsAcross* threadsDown)
    maskKernel(PlaneView<float> from, PlaneView<const std::uint8_t> inside, float value,
               PlaneView<float> to) {
  forPixels(to, [&](int x, int y) { to.at(x, y) = inside.at(x, y) != 0 ? from.at(x, y) : value; });
}

__device__ __forceinline__ int under(int i, int from, int to) {
  return static_cast<int>((i + 0.5) * from / to);
}

__global__ void __launch_bounds__(threadsAcross* threadsDown)
    sizeMaskKernel(PlaneView<const std::uint8_t> from, PlaneView<std::uint8_t> to) {
  forPixels(to, [&](int x, int y) {
    to.at(x, y) = from.at(under(x, from.width, to.width), under(y, from.height, to.height)) != 0 ? 1 : 0;
  });
}

template <class T>
dim3 gridFor(const PlaneView<T>& plane) {
  return {static_cast<unsigned>(ceilDiv(plane.width, threadsAcross)),
          std::min(static_cast<unsigned>(ceilDiv(plane.height, threadsDown)), mostGridRows)};
}
constexpr dim3 block(threadsAcross, threadsDown);

}  // namespace

void startResample(const PlaneView<float>& from, const DeviceShares& across, const PlaneView<float>& narrow,
                   const DeviceShares& down, const PlaneView<float>& to, cudaStream_t stream) {
  launch(resampleKernel, gridFor(narrow), block, stream, from, across, false, narrow);
  launch(resampleKernel, gridFor(to), block, stream, narrow, down, true, to);
}

void startMask(const PlaneView<float>& from, const PlaneView<const std::uint8_t>& inside, float value,
               const PlaneView<float>& to, cudaStream_t stream) {
  launch(maskKernel, gridFor(to), block, stream, from, inside, value, to);
}

void startSizeMask(const PlaneView<const std::uint8_t>& from, const PlaneView<std::uint8_t>& to,
                   cudaStream_t stream) {
  launch(sizeMaskKernel, gridFor(to), block, stream, from, to);
}

}  // namespace bankside::cuda
