#include "kernels/cuda/paper/bank_width.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/measure_limits.h"
#include "kernels/cuda/runtime/stream.h"
#include "kernels/cuda/runtime/time_launches.h"

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

}  // namespace bankside::cuda
