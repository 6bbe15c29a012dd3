#include "kernels/cuda/multichannel/fma/widen_combine.h"

#include <algorithm>
#include <type_traits>

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/multichannel/fma/batch_place.cuh"
#include "kernels/cuda/multichannel/fma/cluster_launch.h"
#include "kernels/cuda/pixels/fused.h"
#include "kernels/cuda/pixels/result_sink.cuh"
#include "kernels/cuda/runtime/launch.h"

namespace bankside::cuda {
namespace {

constexpr int threads = 128;

/// Rows of a grid; more are a loop's.
unsigned gridRows(int rows) { return static_cast<unsigned>(std::min(rows, 65535)); }

/// A warp takes rows of one channel, four neighbouring pixels a lane. `dst` has rows of whole fours.
template <class T>
__global__ void __launch_bounds__(threads)
    widenKernel(const T* src, std::ptrdiff_t srcStride, std::ptrdiff_t channelStride, int channels,
                std::ptrdiff_t imageStride, int width, int rows, float* dst, int dstStride,
                std::ptrdiff_t dstPlane) {
  const int image = static_cast<int>(blockIdx.z) / channels;
  src += image * imageStride + (static_cast<int>(blockIdx.z) - image * channels) * channelStride;
  dst += blockIdx.z * dstPlane;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warps = static_cast<int>(gridDim.y) * (threads / 32);
  for (int y = static_cast<int>(blockIdx.y) * (threads / 32) + static_cast<int>(threadIdx.x) / 32; y < rows;
       y += warps) {
    const T* const from = src + y * srcStride;
    float* const to = dst + static_cast<std::ptrdiff_t>(y) * dstStride;
    for (int x = 4 * lane; x < width; x += 128) {
      float v[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) v[i] = asFloat(__ldg(from + min(x + i, width - 1)));
      *reinterpret_cast<float4*>(to + x) = make_float4(v[0], v[1], v[2], v[3]);
    }
  }
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

template <class... Parameters>
void start(void (*kernel)(Parameters...), const dim3& grid, cudaStream_t stream,
           std::type_identity_t<Parameters>... arguments) {
  void* list[] = {&arguments...};
  launchKernel({kernelAddress(kernel), grid, dim3(threads), list}, stream);
}

}  // namespace

void launchWiden(const SourceRows& src, const ImageBatch& batch, int rows, int channels,
                 std::ptrdiff_t channelStride, float* dst, int dstStride, std::ptrdiff_t dstPlane,
                 cudaStream_t stream) {
  // A few rows a warp.
  const dim3 grid(1, gridRows(ceilDiv(rows, 4 * (threads / 32))), gridDepth(batch.images, channels));
  const auto widen = [&](auto element) {
    using T = decltype(element);
    start(widenKernel<T>, grid, stream, static_cast<const T*>(src.pixels), src.stride, channelStride,
          channels, batch.sourceBytes / static_cast<std::ptrdiff_t>(sizeof(T)), src.width, rows, dst,
          dstStride, dstPlane);
  };
  switch (src.type) {
    case ElementType::U8: widen(std::uint8_t{}); break;
    case ElementType::U16: widen(std::uint16_t{}); break;
    case ElementType::F16: widen(__half{}); break;
    case ElementType::F32: widen(float{}); break;
  }
}

void launchCombine(const KernelArguments& a, const ImageBatch& batch, const float* responses,
                   std::ptrdiff_t stride, std::ptrdiff_t planeStride, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(ceilDiv(a.width, 4 * threads)), gridRows(a.height),
                  gridDepth(batch.images, 1));
  const auto combine = [&](auto kernel) {
    start(kernel, grid, stream, a, responses, stride, planeStride, batch);
  };
  switch (fusedOf(a.combine)) {
    case Fused::None: return combine(combineKernel<Fused::None>);
    case Fused::Value: return combine(combineKernel<Fused::Value>);
    case Fused::Index: return combine(combineKernel<Fused::Index>);
  }
}

}  // namespace bankside::cuda
