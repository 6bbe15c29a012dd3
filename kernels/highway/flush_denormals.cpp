#include "kernels/highway/flush_denormals.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/small_taps.h"

namespace bankside::direct {
namespace {

/// Products of larger taps with pixels that are no floats, and what is left where they cancel, are normal.
constexpr float safeTap = 0x1p-64f;

}  // namespace

bool meetsSmallNumbers(const ConvolutionProblem& problem, const CorrelationTaps& taps) {
  const std::size_t each = taps.taps.size() / static_cast<std::size_t>(problem.filterCount);
  const std::span<const float> all(taps.taps);
  for (std::size_t f = 0; f < all.size(); f += each) {
    const float largest = largestTap(all.subspan(f, each));
    if (largest != 0 && largest < ordinaryTap) return false;
  }
  return problem.srcType == ElementType::F32 ||
         std::any_of(all.begin(), all.end(), [](float tap) { return tap != 0 && std::fabs(tap) < safeTap; });
}

}  // namespace bankside::direct
