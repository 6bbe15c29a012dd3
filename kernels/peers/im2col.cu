#include "kernels/peers/im2col.h"

#include <algorithm>

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/pixels/stage_tile.cuh"
#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {
namespace {

constexpr int threads = 256;

struct Windows {
  int height, width, filterHeight, filterWidth, anchorX, anchorY, taps, first, count;
  Border border;
};

/// Neighbouring threads take neighbouring pixels: reads and writes are coalesced.
__global__ void __launch_bounds__(threads)
    im2colKernel(const float* src, float* columns, const __grid_constant__ Windows w) {
  const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (i >= w.count) return;
  const int y0 = (w.first + i) / w.width - w.anchorY;
  const int x0 = (w.first + i) % w.width - w.anchorX;
  const int each = w.filterHeight * w.filterWidth;
  for (int tap = static_cast<int>(blockIdx.y); tap < w.taps; tap += static_cast<int>(gridDim.y)) {
    const int inChannel = tap % each;
    const int y = edgeIndex(y0 + inChannel / w.filterWidth, w.height, w.border.kind);
    const int x = edgeIndex(x0 + inChannel % w.filterWidth, w.width, w.border.kind);
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(tap / each) * w.height * w.width;
    const bool inside = x >= 0 && y >= 0;
    columns[static_cast<std::ptrdiff_t>(tap) * w.count + i] =
        inside ? __ldg(src + plane + static_cast<std::ptrdiff_t>(y) * w.width + x) : w.border.value;
  }
}

}  // namespace

void startIm2col(const ConvolutionProblem& p, int anchorX, int anchorY, const float* src, int first,
                 int count, float* columns, cudaStream_t stream) {
  const int taps = p.tapChannels() * p.filterHeight * p.filterWidth;
  const dim3 grid(static_cast<unsigned>((count + threads - 1) / threads),
                  static_cast<unsigned>(std::min(taps, 65535)));
  Windows windows{p.height, p.width, p.filterHeight, p.filterWidth, anchorX,
                  anchorY,  taps,    first,          count,         p.border};
  void* arguments[] = {&src, &columns, &windows};
  BANKSIDE_CUDA_CHECK(
      cudaLaunchKernel(kernelAddress(im2colKernel), grid, dim3(threads), arguments, 0, stream));
}

}  // namespace bankside::cuda
