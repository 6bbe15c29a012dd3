#include "kernels/cuda/runtime/copy_planes.h"

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/pixels/tile_math.h"
#include "kernels/cuda/runtime/launch.h"

namespace bankside::cuda {
namespace {

constexpr int threads = 128;
constexpr int mostGridRows = 65535;

/// A thread takes a pixel of every gridDim.y-th row of every gridDim.z-th plane.
template <class T>
__global__ void __launch_bounds__(threads)
    copyPlanesKernel(DevicePlanes src, DevicePlanes dst, int planes, int height, int width) {
  const int x = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (x >= width) return;
  const auto* const from = static_cast<const char*>(src.pixels) + x * src.pixel;
  auto* const to = static_cast<char*>(dst.pixels) + x * dst.pixel;
  for (int p = static_cast<int>(blockIdx.z); p < planes; p += static_cast<int>(gridDim.z)) {
    for (int y = static_cast<int>(blockIdx.y); y < height; y += static_cast<int>(gridDim.y)) {
      *reinterpret_cast<T*>(to + p * dst.plane + y * dst.row) =
          *reinterpret_cast<const T*>(from + p * src.plane + y * src.row);
    }
  }
}

const void* kernelFor(int pixelBytes) {
  switch (pixelBytes) {
    case 1: return kernelAddress(copyPlanesKernel<std::uint8_t>);
    case 2: return kernelAddress(copyPlanesKernel<std::uint16_t>);
    default: return kernelAddress(copyPlanesKernel<std::uint32_t>);
  }
}

}  // namespace

void startCopyPlanes(const DevicePlanes& src, const DevicePlanes& dst, int planes, int height, int width,
                     int pixelBytes, cudaStream_t stream) {
  DevicePlanes from = src;
  DevicePlanes to = dst;
  const dim3 grid(static_cast<unsigned>(ceilDiv(width, threads)),
                  static_cast<unsigned>(std::min(height, mostGridRows)),
                  static_cast<unsigned>(std::min(planes, mostGridRows)));
  void* arguments[] = {&from, &to, &planes, &height, &width};
  launchKernel({kernelFor(pixelBytes), grid, dim3(threads), arguments}, stream);
}

}  // namespace bankside::cuda
