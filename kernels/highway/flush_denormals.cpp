#include "kernels/highway/flush_denormals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bankside::direct {
namespace {

constexpr float smallestNormal = std::numeric_limits<float>::min();
/// Products of larger taps with pixels that are no floats, and what is left where they cancel, are normal.
constexpr float safeTap = 0x1p-64f;
/// The largest tap of a filter that loses nothing to speak of with those that are 0: they are 2^-46 of it.
constexpr float ordinaryTap = 0x1p-80f;

}  // namespace

SmallNumbers smallNumbers(const ConvolutionProblem& problem, const CorrelationTaps& taps) {
  const std::size_t each = taps.taps.size() / static_cast<std::size_t>(problem.filterCount);
  bool ordinary = true;
  float least = std::numeric_limits<float>::infinity();
  for (int f = 0; f < problem.filterCount; ++f) {
    const float* tap = taps.taps.data() + static_cast<std::size_t>(f) * each;
    float largest = 0;
    for (std::size_t i = 0; i < each; ++i) {
      const float size = std::fabs(tap[i]);
      largest = std::max(largest, size);
      if (size > 0) least = std::min(least, size);
    }
    ordinary = ordinary && (largest == 0 || largest >= ordinaryTap);
  }
  SmallNumbers small;
  small.flushed = ordinary && (problem.srcType == ElementType::F32 || least < safeTap);
  small.tapsLost = small.flushed && least < smallestNormal;
  return small;
}

}  // namespace bankside::direct
