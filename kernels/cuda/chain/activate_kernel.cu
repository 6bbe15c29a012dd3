#include <algorithm>

#include "kernels/cuda/chain/activate_kernel.h"
#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/pixels/tile_math.h"
#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {
namespace {

constexpr int threads = 128;

template <Activation activation>
__device__ __forceinline__ float activated(float v) {
  if constexpr (activation == Activation::Abs) return fabsf(v);
  // Not "v > 0 ? v : 0", which would make a NaN vanish.
  if constexpr (activation == Activation::Relu) return v <= 0.0f ? 0.0f : v;
  if constexpr (activation == Activation::Square) return __fmul_rn(v, v);
  return v;
}

template <Activation activation>
__global__ void __launch_bounds__(threads)
    activateKernel(float* maps, std::ptrdiff_t planeStride, int rows, std::ptrdiff_t rowStride, int width) {
  const int x = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (x >= width) return;
  float* const plane = maps + blockIdx.z * planeStride + x;
  for (int y = static_cast<int>(blockIdx.y); y < rows; y += static_cast<int>(gridDim.y))
    plane[y * rowStride] = activated<activation>(plane[y * rowStride]);
}

}  // namespace

void launchActivation(Activation activation, float* maps, int planes, std::ptrdiff_t planeStride, int rows,
                      std::ptrdiff_t rowStride, int width, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(ceilDiv(width, threads)),
                  static_cast<unsigned>(std::min(rows, 65535)), static_cast<unsigned>(planes));
  const auto start = [&](void (*kernel)(float*, std::ptrdiff_t, int, std::ptrdiff_t, int)) {
    void* arguments[] = {&maps, &planeStride, &rows, &rowStride, &width};
    BANKSIDE_CUDA_CHECK(cudaLaunchKernel(kernelAddress(kernel), grid, dim3(threads), arguments, 0, stream));
  };
  switch (activation) {
    case Activation::None: return;
    case Activation::Abs: start(activateKernel<Activation::Abs>); break;
    case Activation::Relu: start(activateKernel<Activation::Relu>); break;
    case Activation::Square: start(activateKernel<Activation::Square>); break;
  }
}

}  // namespace bankside::cuda
