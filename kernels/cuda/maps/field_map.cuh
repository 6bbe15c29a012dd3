/// A map with its field of view, as kernels see it.
#pragma once

#include <cstdint>

#include "core/plane_view.h"

namespace bankside::cuda {

/// Whether a number is neither infinite nor NaN.
__device__ __forceinline__ bool isFinite(float value) {
  return (__float_as_uint(value) & 0x7f800000u) != 0x7f800000u;
}

/// Numbers in the order of the values ("keys"); both zeros are one.
__device__ __forceinline__ std::uint32_t keyOf(float value) {
  const std::uint32_t bits = __float_as_uint(value + 0.0f);
  return bits ^ ((bits >> 31) != 0 ? ~0u : 0x80000000u);
}
__device__ __forceinline__ double valueOf(std::uint32_t key) {
  return static_cast<double>(__uint_as_float(key ^ ((key >> 31) != 0 ? 0x80000000u : ~0u)));
}

/// Inside the field, and finite. No data of `inside`: everything is.
__device__ __forceinline__ bool counts(const PlaneView<const std::uint8_t>& inside, float value, int x,
                                       int y) {
  return (inside.data == nullptr || inside.at(x, y) != 0) && isFinite(value);
}

}  // namespace bankside::cuda
