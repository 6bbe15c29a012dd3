#include "kernels/peers/half_taps.h"

#include <algorithm>
#include <cmath>

#include "core/small_taps.h"

namespace bankside::cuda {
namespace {

/// Where tap `i` of [F][C][kh][kw] lies in [F][kh][kw][C].
std::size_t channelsLastPlace(const ConvolutionProblem& p, std::size_t i) {
  const auto channels = static_cast<std::size_t>(p.tapChannels());
  const std::size_t each = static_cast<std::size_t>(p.filterHeight) * static_cast<std::size_t>(p.filterWidth);
  const std::size_t ofFilter = channels * each;
  return i / ofFilter * ofFilter + i % each * channels + i % ofFilter / each;
}

}  // namespace

std::vector<float> channelsLastTaps(const ConvolutionProblem& p, const std::vector<float>& taps) {
  std::vector<float> there(taps.size());
  for (std::size_t i = 0; i < taps.size(); ++i) there[channelsLastPlace(p, i)] = taps[i];
  return there;
}

HalfTaps halfTaps(const ConvolutionProblem& p, const std::vector<float>& taps, bool channelsLast) {
  const std::size_t ofFilter = taps.size() / static_cast<std::size_t>(p.filterCount);
  const float largest = largestTap(taps);
  double mostSum = 0;
  for (std::size_t first = 0; first < taps.size(); first += ofFilter) {
    double sum = 0;
    for (std::size_t i = first; i < first + ofFilter; ++i) sum += std::fabs(taps[i]);
    mostSum = std::max(mostSum, sum);
  }
  int scale = 0;  // |tap| < 2^scale
  std::frexp(largest, &scale);
  int sumScale = 0;
  std::frexp(std::ldexp(mostSum, -scale), &sumScale);
  HalfTaps half;
  // Rounding a tap up may take the sum past its power of two.
  half.alpha = std::ldexp(1.0f, -(sumScale + 1));
  half.back = std::ldexp(1.0f, sumScale + 1 + scale);
  half.taps.resize(taps.size());
  for (std::size_t i = 0; i < taps.size(); ++i)
    half.taps[channelsLast ? channelsLastPlace(p, i) : i] = toHalf(std::ldexp(taps[i], -scale));
  return half;
}

}  // namespace bankside::cuda
