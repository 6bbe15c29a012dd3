#include "kernels/cuda/fft/spectrum_product.h"

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {
namespace {

__global__ void __launch_bounds__(256) productKernel(const float2* images, const float2* filters, float2* out,
                                                     std::size_t count, int filterCount) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * 256 + threadIdx.x;
  if (i >= count) return;
  const float2 a = __ldg(images + blockIdx.y * count + i);
  out += blockIdx.y * static_cast<std::size_t>(filterCount) * count;
  for (int f = 0; f < filterCount; ++f) {
    const std::size_t at = static_cast<std::size_t>(f) * count + i;
    const float2 b = __ldg(filters + at);
    __stcs(out + at, make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x));
  }
}

}  // namespace

void startSpectrumProduct(const float2* images, const float2* filters, float2* out, std::size_t count,
                          int filterCount, int imageCount, cudaStream_t stream) {
  void* arguments[] = {&images, &filters, &out, &count, &filterCount};
  const dim3 grid(static_cast<unsigned>((count + 255) / 256), static_cast<unsigned>(imageCount));
  BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(productKernel), grid, dim3(256), arguments, 0, stream));
}

}  // namespace bankside::cuda
