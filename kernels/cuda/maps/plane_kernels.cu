#include "kernels/cuda/maps/plane_kernels.h"

#include "kernels/cuda/maps/launch.cuh"

namespace bankside::cuda {
namespace {

__global__ void __launch_bounds__(pixelThreads)
    resampleKernel(PlaneView<float> from, DeviceShares shares, bool down, PlaneView<float> to) {
  forPixels(to.width, to.height, [&](int x, int y) {
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

__global__ void __launch_bounds__(pixelThreads)
    maskKernel(PlaneView<float> from, PlaneView<const std::uint8_t> inside, float value,
               PlaneView<float> to) {
  forPixels(to.width, to.height,
            [&](int x, int y) { to.at(x, y) = inside.at(x, y) != 0 ? from.at(x, y) : value; });
}

__global__ void __launch_bounds__(pixelThreads)
    sizeMaskKernel(PlaneView<const std::uint8_t> from, const int* columns, const int* rows,
                   PlaneView<std::uint8_t> to) {
  forPixels(to.width, to.height,
            [&](int x, int y) { to.at(x, y) = from.at(columns[x], rows[y]) != 0 ? 1 : 0; });
}

}  // namespace

void startResample(const PlaneView<float>& from, const DeviceShares& across, const PlaneView<float>& narrow,
                   const DeviceShares& down, const PlaneView<float>& to, cudaStream_t stream) {
  launch(resampleKernel, gridOver(narrow.width, narrow.height, wideBlock), wideBlock, stream, from, across,
         false, narrow);
  launch(resampleKernel, gridOver(to.width, to.height, wideBlock), wideBlock, stream, narrow, down, true, to);
}

void startMask(const PlaneView<float>& from, const PlaneView<const std::uint8_t>& inside, float value,
               const PlaneView<float>& to, cudaStream_t stream) {
  launch(maskKernel, gridOver(to.width, to.height, wideBlock), wideBlock, stream, from, inside, value, to);
}

void startSizeMask(const PlaneView<const std::uint8_t>& from, const int* columns, const int* rows,
                   const PlaneView<std::uint8_t>& to, cudaStream_t stream) {
  launch(sizeMaskKernel, gridOver(to.width, to.height, wideBlock), wideBlock, stream, from, columns, rows,
         to);
}

}  // namespace bankside::cuda
