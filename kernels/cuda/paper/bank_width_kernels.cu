#include <cmath>
#include <cstdlib>

#include "kernels/cuda/paper/bank_width.h"
#include "kernels/cuda/paper/paper_kernel.cuh"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/measure_limits.h"
#include "kernels/cuda/runtime/stream.h"

namespace bankside::cuda {
namespace {

constexpr int sharedRounds = 512;
constexpr int sharedBytes = 16384;

template <int unitBytes>
__device__ __forceinline__ unsigned readUnit(unsigned address) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if constexpr (unitBytes == 1) {
    asm volatile("ld.volatile.shared.u8 %0, [%1];" : "=r"(a) : "r"(address));
  } else if constexpr (unitBytes == 2) {
    asm volatile("{.reg .u16 h; ld.volatile.shared.u16 h, [%1]; cvt.u32.u16 %0, h;}"
                 : "=r"(a)
                 : "r"(address));
  } else if constexpr (unitBytes == 4) {
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(address));
  } else if constexpr (unitBytes == 8) {
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(address));
  } else {
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(address));
  }
  return a ^ b ^ c ^ d;
}

/// Neighbouring threads read neighbouring units, as the paper's kernels do; several reads are on
/// their way at a time.
template <int unitBytes>
__global__ void __launch_bounds__(256, 2) sharedReadKernel(unsigned* out) {
  __shared__ unsigned words[sharedBytes / 4];
  for (int i = static_cast<int>(threadIdx.x); i < sharedBytes / 4; i += 256)
    words[i] = static_cast<unsigned>(i) * 2654435761u;
  __syncthreads();
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(words));
  const unsigned warp = threadIdx.x / 32 * 32 * unitBytes % 4096;
  const unsigned start = base + warp + threadIdx.x % 32 * unitBytes;
  unsigned kept = 0;
#pragma unroll 1
  for (int round = 0; round < sharedRounds; ++round) {
    constexpr int atOnce = unitBytes == 16 ? 4 : 16;
#pragma unroll
    for (int first = 0; first < 16; first += atOnce) {
      unsigned read[atOnce];
#pragma unroll
      for (int i = 0; i < atOnce; ++i)
        read[i] = readUnit<unitBytes>(start + static_cast<unsigned>(first + i) * 32 * unitBytes);
#pragma unroll
      for (int i = 0; i < atOnce; ++i) kept ^= read[i];
    }
  }
  if (kept == 0x12345678u) out[threadIdx.x] = kept;  // keeps the reads alive
}

template <int unitBytes>
double sharedSeconds(unsigned* out, int blocks) {
  return timeLaunches(
             [&](int, void* stream) {
               sharedReadKernel<unitBytes>
                   <<<static_cast<unsigned>(blocks), 256, 0, static_cast<cudaStream_t>(stream)>>>(out);
             },
             1, 4)
      .median;
}

constexpr int productSide = 2048;
constexpr int productTile = 64;
constexpr int productDepth = 32;

/// C = A^T B for f16 matrices [depth][side]: a block makes 64 x 64 elements, a thread 4 x 4 in units of
/// `unit` neighbours, units of neighbouring threads side by side.
template <int unit>
__global__ void __launch_bounds__(256) productKernel(const __half* a, const __half* b, float* c, int side) {
  using Halves = Unit<__half, unit>;
  __shared__ Halves tileA[productDepth][productTile / unit];
  __shared__ Halves tileB[productDepth][productTile / unit];
  constexpr int units = 4 / unit;
  const int tx = static_cast<int>(threadIdx.x) % 16;
  const int ty = static_cast<int>(threadIdx.x) / 16;
  const int firstRow = static_cast<int>(blockIdx.y) * productTile;
  const int firstColumn = static_cast<int>(blockIdx.x) * productTile;
  float sum[4][4] = {};
  for (int depth = 0; depth < side; depth += productDepth) {
    for (int i = static_cast<int>(threadIdx.x); i < productDepth * productTile / unit; i += 256) {
      const int d = i / (productTile / unit);
      const int u = i % (productTile / unit);
      tileA[d][u] = *reinterpret_cast<const Halves*>(a + (depth + d) * side + firstRow + u * unit);
      tileB[d][u] = *reinterpret_cast<const Halves*>(b + (depth + d) * side + firstColumn + u * unit);
    }
    __syncthreads();
#pragma unroll 4
    for (int d = 0; d < productDepth; ++d) {
      float left[4], right[4];
#pragma unroll
      for (int u = 0; u < units; ++u) {
        const Halves fromA = tileA[d][u * 16 + ty];
        const Halves fromB = tileB[d][u * 16 + tx];
#pragma unroll
        for (int i = 0; i < unit; ++i) {
          left[u * unit + i] = __half2float(fromA.pixel[i]);
          right[u * unit + i] = __half2float(fromB.pixel[i]);
        }
      }
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int s = 0; s < 4; ++s) sum[r][s] = __fmaf_rn(left[r], right[s], sum[r][s]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r)
#pragma unroll
    for (int s = 0; s < 4; ++s)
      c[(firstRow + (r / unit * 16 + ty) * unit + r % unit) * side + firstColumn +
        (s / unit * 16 + tx) * unit + s % unit] = sum[r][s];
}

/// Small integers: every sum is exact.
float elementOf(int matrix, int row, int column) {
  return static_cast<float>((row * 7 + column * 13 + matrix * 5) % 9 - 4);
}

template <int unit>
BlockedProduct product() {
  constexpr std::size_t count = std::size_t{productSide} * productSide;
  std::vector<__half> host[2];
  for (int m = 0; m < 2; ++m) {
    host[m].resize(count);
    for (int d = 0; d < productSide; ++d)
      for (int i = 0; i < productSide; ++i)
        host[m][static_cast<std::size_t>(d) * productSide + static_cast<std::size_t>(i)] =
            __float2half(elementOf(m, d, i));
  }
  const DeviceBuffer a(count * 2), b(count * 2), c(count * 4);
  BANKSIDE_CUDA_CHECK(cudaMemcpy(a.data(), host[0].data(), count * 2, cudaMemcpyHostToDevice));
  BANKSIDE_CUDA_CHECK(cudaMemcpy(b.data(), host[1].data(), count * 2, cudaMemcpyHostToDevice));
  BlockedProduct result;
  result.seconds =
      timeLaunches(
          [&](int, void* stream) {
            productKernel<unit><<<dim3(productSide / productTile, productSide / productTile), 256, 0,
                                  static_cast<cudaStream_t>(stream)>>>(
                reinterpret_cast<const __half*>(a.data()), reinterpret_cast<const __half*>(b.data()),
                reinterpret_cast<float*>(c.data()), productSide);
          },
          1, 2)
          .median;
  std::vector<float> out(count);
  BANKSIDE_CUDA_CHECK(cudaMemcpy(out.data(), c.data(), count * 4, cudaMemcpyDeviceToHost));
  for (int sample = 0; sample < 200; ++sample) {
    const int row = sample * 977 % productSide;
    const int column = sample * 1931 % productSide;
    float expected = 0;
    for (int d = 0; d < productSide; ++d) expected += elementOf(0, d, row) * elementOf(1, d, column);
    const float got = out[static_cast<std::size_t>(row) * productSide + static_cast<std::size_t>(column)];
    if (got != expected) {
      result.wrong = "element (" + std::to_string(row) + ", " + std::to_string(column) + ") is " +
                     std::to_string(got) + " and not " + std::to_string(expected);
      break;
    }
  }
  return result;
}

}  // namespace

SharedRead timeSharedReads(int unitBytes) {
  const int blocks = describeDevice().multiprocessors * 8;
  const DeviceBuffer out(1024);
  auto* to = reinterpret_cast<unsigned*>(out.data());
  SharedRead result;
  result.bytes = 256.0 * 16 * sharedRounds * blocks * unitBytes;
  switch (unitBytes) {
    case 1: result.seconds = sharedSeconds<1>(to, blocks); break;
    case 2: result.seconds = sharedSeconds<2>(to, blocks); break;
    case 4: result.seconds = sharedSeconds<4>(to, blocks); break;
    case 8: result.seconds = sharedSeconds<8>(to, blocks); break;
    default: result.seconds = sharedSeconds<16>(to, blocks); break;
  }
  BANKSIDE_CUDA_CHECK(cudaGetLastError());
  return result;
}

BlockedProduct timeBlockedProduct(int unitElements) {
  return unitElements == 1 ? product<1>() : unitElements == 2 ? product<2>() : product<4>();
}

}  // namespace bankside::cuda
