/// What the kernels use of CUDA's half precision, by core/element_type.h's conversions.
#pragma once

#include <cstdint>

#include "core/element_type.h"
#include "tests/kernels/cuda/on_host/cuda_runtime_api.h"

struct __half {
  std::uint16_t bits;
};
struct alignas(4) __half2 {
  __half x, y;
};

inline float __half2float(__half value) { return bankside::toFloat(bankside::Half{value.bits}); }
inline __half __float2half_rn(float value) { return {bankside::toHalf(value).bits}; }
inline std::uint16_t __half_as_ushort(__half value) { return value.bits; }
inline __half __ushort_as_half(std::uint16_t bits) { return {bits}; }
inline float2 __half22float2(__half2 pair) { return {__half2float(pair.x), __half2float(pair.y)}; }
inline __half2 __floats2half2_rn(float low, float high) {
  return {__float2half_rn(low), __float2half_rn(high)};
}
inline float __low2float(__half2 pair) { return __half2float(pair.x); }
inline float __high2float(__half2 pair) { return __half2float(pair.y); }
// A difference or product of halves is exact in f32, or near enough that its rounding to half is the right
// one.
inline __half2 __hsub2(__half2 a, __half2 b) {
  return __floats2half2_rn(__low2float(a) - __low2float(b), __high2float(a) - __high2float(b));
}
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __floats2half2_rn(__low2float(a) * __low2float(b) + __low2float(c),
                           __high2float(a) * __high2float(b) + __high2float(c));
}
