#include "kernels/cuda/single_channel/direct_pixels.h"

#include <algorithm>

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/pixels/direct_pixel.cuh"
#include "kernels/cuda/pixels/mark_fallback.cuh"

namespace bankside::cuda {
namespace {

constexpr int tileWidth = 32;
constexpr int tileHeight = 4;

/// Blocks beyond 65,535 rows of tiles are made by those above them.
__global__ void __launch_bounds__(tileWidth* tileHeight, 1)
    directPixelsKernel(const __grid_constant__ KernelArguments a) {
  const int firstX = static_cast<int>(blockIdx.x) * tileWidth;
  const unsigned looks = gridDim.x * static_cast<unsigned>(ceilDiv(a.height, tileHeight));
#pragma unroll 1
  for (int firstY = static_cast<int>(blockIdx.y) * tileHeight; firstY < a.height;
       firstY += static_cast<int>(gridDim.y) * tileHeight) {
    if (!wantedAndLeft(a, firstX, firstY, tileWidth, tileHeight, looks)) continue;
    const int x = firstX + static_cast<int>(threadIdx.x) % tileWidth;
    const int y = firstY + static_cast<int>(threadIdx.x) / tileWidth;
    if (x < a.width && y < a.height) directPixel(a, x, y);
  }
}

}  // namespace

void startDirectPixels(const KernelArguments& a, cudaStream_t stream, const KernelLaunch* before) {
  KernelArguments copy = a;
  void* arguments[] = {&copy};
  const dim3 grid(static_cast<unsigned>(ceilDiv(a.width, tileWidth)),
                  static_cast<unsigned>(std::min(ceilDiv(a.height, tileHeight), mostBlockRows)));
  launchKernel({kernelAddress(directPixelsKernel), grid, dim3(tileWidth * tileHeight), arguments}, stream,
               before);
}

}  // namespace bankside::cuda
