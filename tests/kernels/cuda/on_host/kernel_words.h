/// CUDA's language for a C++ compiler: included before everything else in a source of kernels, as nvcc does
/// with its own header.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "tests/kernels/cuda/on_host/block.h"
#include "tests/kernels/cuda/on_host/cuda_fp16.h"
#include "tests/kernels/cuda/on_host/cuda_runtime_api.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline
#define __noinline__
#define __align__(bytes) __attribute__((aligned(bytes)))
// One instance for all threads of a block, whether it is declared with its size or `extern` without one.
#define __shared__ thread_local

using bankside::on_host::blockDim;
using bankside::on_host::blockIdx;
using bankside::on_host::gridDim;
using bankside::on_host::threadIdx;

inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

using std::max;
using std::min;

inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fsqrt_rn(float a) { return std::sqrt(a); }
inline std::uint32_t __float_as_uint(float value) { return std::bit_cast<std::uint32_t>(value); }
inline float __uint_as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
/// Four bytes of b:a, each chosen by a digit of `selector` (digits below 8: no sign is spread).
inline std::uint32_t __byte_perm(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i)
    word |= static_cast<std::uint32_t>(both >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return word;
}

/// The low word of high:low moved right.
inline std::uint32_t __funnelshift_r(std::uint32_t low, std::uint32_t high, std::uint32_t bits) {
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> (bits & 31));
}

template <class T>
T __ldg(const T* from) {
  bankside::on_host::requireAligned(from, sizeof(T));
  return *from;
}
template <class T>
T __ldcs(const T* from) {
  return __ldg(from);
}
template <class T>
void __stcs(T* to, const T& value) {
  bankside::on_host::requireAligned(to, sizeof(T));
  *to = value;
}

inline void __syncthreads() { bankside::on_host::meet(bankside::on_host::Group::Block, "__syncthreads"); }
int __syncthreads_or(int value);
inline void __syncwarp() { bankside::on_host::meet(bankside::on_host::Group::Warp, "__syncwarp"); }
int __shfl_sync(unsigned mask, int value, int lane);
float __shfl_xor_sync(unsigned mask, float value, int distance);
std::uint32_t __reduce_min_sync(unsigned mask, std::uint32_t value);
std::uint32_t __reduce_add_sync(unsigned mask, std::uint32_t value);
std::uint32_t __reduce_max_sync(unsigned mask, std::uint32_t value);
inline int __popc(unsigned value) { return std::popcount(value); }
inline std::uint32_t atomicAdd(std::uint32_t* place, std::uint32_t value) {
  return std::exchange(*place, *place + value);
}
inline void atomicOr(std::uint32_t* place, std::uint32_t value) { *place |= value; }
inline void atomicMin(std::uint32_t* place, std::uint32_t value) { *place = std::min(*place, value); }
inline void atomicMax(std::uint32_t* place, std::uint32_t value) { *place = std::max(*place, value); }
