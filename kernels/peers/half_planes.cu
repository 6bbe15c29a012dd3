#include <cuda_fp16.h>

#include <algorithm>

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/peers/half_planes.h"

namespace bankside::cuda {
namespace {

constexpr int side = 32;
constexpr int rows = 8;

__device__ __forceinline__ void convert(float from, float& to, float) { to = from; }
__device__ __forceinline__ void convert(float from, __half& to, float) { to = __float2half_rn(from); }
__device__ __forceinline__ void convert(__half from, float& to, float scale) {
  to = scale * __half2float(from);
}

template <class From, class To>
__global__ void __launch_bounds__(256)
    convertKernel(const From* src, To* dst, std::size_t count, float scale) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * 256;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * 256 + threadIdx.x; i < count; i += step)
    convert(src[i], dst[i], scale);
}

/// dst[column][row] = src[row][column], a tile of 32 x 32 a block; the tile's extra column keeps the banks
/// apart.
template <class From, class To>
__global__ void __launch_bounds__(side* rows)
    transposeKernel(const From* src, To* dst, std::size_t height, std::size_t width, unsigned tilesAcross,
                    float scale) {
  __shared__ To tile[side][side + 1];
  const std::size_t x0 = static_cast<std::size_t>(blockIdx.x % tilesAcross) * side;
  const std::size_t y0 = static_cast<std::size_t>(blockIdx.x / tilesAcross) * side;
  const unsigned column = threadIdx.x % side;
  const unsigned firstRow = threadIdx.x / side;
  const std::size_t x = x0 + column;
  for (unsigned i = firstRow; i < side; i += rows)
    if (x < width && y0 + i < height) convert(src[(y0 + i) * width + x], tile[i][column], scale);
  __syncthreads();
  const std::size_t to = y0 + column;
  for (unsigned i = firstRow; i < side; i += rows)
    if (to < height && x0 + i < width) dst[(x0 + i) * height + to] = tile[column][i];
}

template <class From, class To>
void launchTranspose(const From* src, To* dst, std::size_t height, std::size_t width, float scale,
                     cudaStream_t stream) {
  auto across = static_cast<unsigned>((width + side - 1) / side);
  const auto down = static_cast<unsigned>((height + side - 1) / side);
  void* arguments[] = {&src, &dst, &height, &width, &across, &scale};
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(transposeKernel<From, To>), dim3(across * down),
                                       dim3(side * rows), arguments, 0, stream));
}

template <class From, class To>
void launchConvert(const From* src, To* dst, std::size_t count, float scale, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(std::min<std::size_t>((count + 255) / 256, 1u << 20));
  void* arguments[] = {&src, &dst, &count, &scale};
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(convertKernel<From, To>), dim3(blocks), dim3(256),
                                       arguments, 0, stream));
}

}  // namespace

void startToHalf(const float* src, void* dst, int planes, std::size_t pixels, bool channelsLast,
                 cudaStream_t stream) {
  auto* const halves = static_cast<__half*>(dst);
  const auto count = static_cast<std::size_t>(planes);
  if (channelsLast) {
    launchTranspose(src, halves, count, pixels, 1.0f, stream);
  } else {
    launchConvert(src, halves, count * pixels, 1.0f, stream);
  }
}

void startToChannelsLast(const float* src, float* dst, int planes, std::size_t pixels, cudaStream_t stream) {
  launchTranspose(src, dst, static_cast<std::size_t>(planes), pixels, 1.0f, stream);
}

void startToPlanes(const float* src, float* dst, int planes, std::size_t pixels, cudaStream_t stream) {
  launchTranspose(src, dst, pixels, static_cast<std::size_t>(planes), 1.0f, stream);
}

void startToFloat(const void* src, float* dst, int planes, std::size_t pixels, bool channelsLast, float scale,
                  cudaStream_t stream) {
  const auto* const halves = static_cast<const __half*>(src);
  const auto count = static_cast<std::size_t>(planes);
  if (channelsLast) {
    launchTranspose(halves, dst, pixels, count, scale, stream);
  } else {
    launchConvert(halves, dst, count * pixels, scale, stream);
  }
}

}  // namespace bankside::cuda
