// What stands before and after the multichannel kernel where it cannot do it itself: pixels widened to f32,
// and responses combined.
#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "kernels/cuda/cuda_error.h"
#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/fused.h"
#include "kernels/cuda/multichannel/batch_place.cuh"
#include "kernels/cuda/multichannel/summed_table.h"
#include "kernels/cuda/result_sink.cuh"

namespace bankside::cuda {
namespace {

constexpr int threads = 128;

/// Rows of a grid; more are a loop's.
unsigned gridRows(int rows) { return static_cast<unsigned>(std::min(rows, 65535)); }

template <class T>
__global__ void __launch_bounds__(threads)
    widenKernel(const T* src, std::ptrdiff_t srcStride, std::ptrdiff_t channelStride, int channels,
                std::ptrdiff_t imageStride, int width, int rows, float* dst, int dstStride) {
  const int x = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (x >= width) return;
  const int image = static_cast<int>(blockIdx.z) / channels;
  src += image * imageStride + (static_cast<int>(blockIdx.z) - image * channels) * channelStride + x;
  dst += static_cast<std::ptrdiff_t>(blockIdx.z) * rows * dstStride + x;
  for (auto y = static_cast<std::ptrdiff_t>(blockIdx.y); y < rows; y += gridDim.y)
    dst[y * dstStride] = asFloat(__ldg(src + y * srcStride));
}

/// Bits of magnitudes are ordered as the magnitudes are.
__global__ void __launch_bounds__(threads)
    largestKernel(const float* src, std::ptrdiff_t srcStride, std::ptrdiff_t channelStride, int channels,
                  std::ptrdiff_t imageStride, int width, int rows, std::uint32_t* largest) {
  const int image = static_cast<int>(blockIdx.z) / channels;
  src += image * imageStride + (static_cast<int>(blockIdx.z) - image * channels) * channelStride;
  largest += image;
  std::uint32_t most = 0;
  for (auto y = static_cast<std::ptrdiff_t>(blockIdx.y); y < rows; y += gridDim.y) {
    for (int x = static_cast<int>(threadIdx.x); x < width; x += threads) {
      const std::uint32_t bits = __float_as_uint(__ldg(src + y * srcStride + x)) & 0x7fffffffu;
      if (bits < 0x7f800000u) most = max(most, bits);
    }
  }
  most = __reduce_max_sync(0xffffffffu, most);
  if (threadIdx.x % 32 == 0 && most > 0) atomicMax(largest, most);
}

__global__ void __launch_bounds__(threads)
    setWordsKernel(std::uint32_t* words, int count, std::uint32_t value) {
  const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (i < count) words[i] = value;
}

template <Fused fused>
__global__ void __launch_bounds__(threads)
    combineKernel(const __grid_constant__ KernelArguments all, const float* responses, std::ptrdiff_t stride,
                  std::ptrdiff_t planeStride, const ImageBatch batch) {
  KernelArguments a = all;
  a.dst = resultsOf(all.dst, batch, static_cast<int>(blockIdx.z));
  responses += static_cast<std::ptrdiff_t>(blockIdx.z) * a.filterCount * planeStride;
  const int x = 4 * (static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x));
  if (x >= a.width) return;
  for (int y = static_cast<int>(blockIdx.y); y < a.height; y += static_cast<int>(gridDim.y)) {
    ResultSink<1, 4, fused> sink(a, 0, x, y);
    const float* from = responses + y * stride + x;
    for (int f = 0; f < a.filterCount; ++f, from += planeStride) {
      const float4 v = __ldcs(reinterpret_cast<const float4*>(from));
      const float sum[1][4] = {{v.x, v.y, v.z, v.w}};
      sink.take(a, f, x, y, sum);
    }
    sink.finish(a, x, y);
  }
}

/// Starts `kernel` with blocks of `threads`.
template <class... Parameters>
void start(void (*kernel)(Parameters...), const dim3& grid, cudaStream_t stream,
           std::type_identity_t<Parameters>... arguments) {
  void* list[] = {&arguments...};
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(kernel), grid, dim3(threads), list, 0, stream));
}

}  // namespace

void launchWiden(const SourceRows& src, const ImageBatch& batch, int rows, int channels,
                 std::ptrdiff_t channelStride, float* dst, int dstStride, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(ceilDiv(src.width, threads)), gridRows(rows),
                  gridDepth(batch.images, channels));
  const auto widen = [&](auto element) {
    using T = decltype(element);
    start(widenKernel<T>, grid, stream, static_cast<const T*>(src.pixels), src.stride, channelStride,
          channels, batch.sourceBytes / static_cast<std::ptrdiff_t>(sizeof(T)), src.width, rows, dst,
          dstStride);
  };
  switch (src.type) {
    case ElementType::U8: widen(std::uint8_t{}); break;
    case ElementType::U16: widen(std::uint16_t{}); break;
    case ElementType::F16: widen(__half{}); break;
    case ElementType::F32: widen(float{}); break;
  }
}

void launchLargest(const SourceRows& src, const ImageBatch& batch, int firstRow, int rows, int channels,
                   std::ptrdiff_t channelStride, float atLeast, std::uint32_t* largest, cudaStream_t stream) {
  const float floor = std::isfinite(atLeast) ? std::fabs(atLeast) : 0.0f;
  start(setWordsKernel, dim3(static_cast<unsigned>(ceilDiv(batch.images, threads))), stream, largest,
        batch.images, std::bit_cast<std::uint32_t>(floor));
  // A few rows a block, so that few atomics meet.
  const dim3 grid(1, gridRows(ceilDiv(rows, 4)), gridDepth(batch.images, channels));
  if (rows > 0)
    start(largestKernel, grid, stream, static_cast<const float*>(src.pixels) + firstRow * src.stride,
          src.stride, channelStride, channels, batch.sourceBytes / static_cast<std::ptrdiff_t>(sizeof(float)),
          src.width, rows, largest);
}

void launchCombine(const KernelArguments& a, const ImageBatch& batch, const float* responses,
                   std::ptrdiff_t stride, std::ptrdiff_t planeStride, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(ceilDiv(a.width, 4 * threads)), gridRows(a.height),
                  gridDepth(batch.images, 1));
  if (fusedOf(a.combine) == Fused::Index) {
    start(combineKernel<Fused::Index>, grid, stream, a, responses, stride, planeStride, batch);
  } else {
    start(combineKernel<Fused::Value>, grid, stream, a, responses, stride, planeStride, batch);
  }
}

}  // namespace bankside::cuda
