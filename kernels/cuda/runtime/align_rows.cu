#include "kernels/cuda/runtime/align_rows.h"

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/runtime/cuda_error.h"

namespace bankside::cuda {
namespace {

constexpr int threads = 128;
constexpr std::size_t unit = 16;
constexpr std::size_t mostGridRows = 65535;

/// The four bytes at any address, from the two words that hold them.
__device__ __forceinline__ std::uint32_t wordAt(const std::uint32_t* words, unsigned shift) {
  const std::uint64_t both = static_cast<std::uint64_t>(__ldg(words + 1)) << 32 | __ldg(words);
  return static_cast<std::uint32_t>(both >> shift);
}

/// A thread writes a unit of every gridDim.y-th row.
__global__ void __launch_bounds__(threads)
    alignRowsKernel(const std::uint8_t* src, std::size_t rowBytes, std::size_t rows, std::uint8_t* dst) {
  const std::size_t at = (blockIdx.x * std::size_t{threads} + threadIdx.x) * unit;
  if (at >= rowBytes) return;
  for (std::size_t y = blockIdx.y; y < rows; y += gridDim.y) {
    const std::size_t first = y * rowBytes + at;
    std::uint8_t* const to = dst + y * alignedRowBytes(rowBytes) + at;
    // What follows a row is the next one, but for the last row's end.
    if (first + unit + 8 > rows * rowBytes) {
      for (std::size_t i = 0; i < unit && at + i < rowBytes; ++i) to[i] = __ldg(src + first + i);
      continue;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(src + first);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
    const unsigned shift = 8 * static_cast<unsigned>(address & 3);
    *reinterpret_cast<uint4*>(to) = make_uint4(wordAt(words, shift), wordAt(words + 1, shift),
                                               wordAt(words + 2, shift), wordAt(words + 3, shift));
  }
}

}  // namespace

void startAlignRows(const void* src, std::size_t rowBytes, std::size_t rows, void* dst, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((rowBytes + unit * threads - 1) / (unit * threads)),
                  static_cast<unsigned>(std::min(rows, mostGridRows)));
  void* arguments[] = {&src, &rowBytes, &rows, &dst};
  BANKSIDE_CUDA_CHECK(
      cudaLaunchKernel(kernelAddress(alignRowsKernel), grid, dim3(threads), arguments, 0, stream));
}

}  // namespace bankside::cuda
