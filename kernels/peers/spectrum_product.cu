#include "kernels/peers/spectrum_product.h"

#include "kernels/cuda/cuda_error.h"

namespace bankside::cuda {
namespace {

__global__ void __launch_bounds__(256) productKernel(const float2* image, const float2* filters, float2* out,
                                                     std::size_t count, int filterCount) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * 256 + threadIdx.x;
  if (i >= count) return;
  const float2 a = __ldg(image + i);
  for (int f = 0; f < filterCount; ++f) {
    const std::size_t at = static_cast<std::size_t>(f) * count + i;
    const float2 b = __ldcs(filters + at);
    __stcs(out + at, make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x));
  }
}

}  // namespace

void startSpectrumProduct(const float2* image, const float2* filters, float2* out, std::size_t count,
                          int filterCount, cudaStream_t stream) {
  productKernel<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(image, filters, out, count,
                                                                                filterCount);
  BANKSIDE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace bankside::cuda
