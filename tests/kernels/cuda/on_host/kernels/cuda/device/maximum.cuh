/// In the place of kernels/cuda/device/maximum.cuh: `max.NaN.f32`.
#pragma once

#include <cmath>

namespace bankside::cuda {

inline float maximum(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return NAN;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

}  // namespace bankside::cuda
