/// A map with its field of view, as kernels see it.
#pragma once

#include <cstdint>

#include "core/plane_view.h"

namespace bankside::cuda {

/// Whether a number is neither infinite nor NaN.
__device__ __forceinline__ bool isFinite(float value) {
  return (__float_as_uint(value) & 0x7f800000u) != 0x7f800000u;
}

/// Inside the field, and finite. No data of `inside`: everything is.
__device__ __forceinline__ bool counts(const PlaneView<const std::uint8_t>& inside, float value, int x,
                                       int y) {
  return (inside.data == nullptr || inside.at(x, y) != 0) && isFinite(value);
}

}  // namespace bankside::cuda
