/// A bank in half precision for a library that multiplies in it: no CUDA, tested on the CPU.
#pragma once

#include <vector>

#include "core/element_type.h"
#include "core/problem.h"

namespace bankside::cuda {

/// Taps scaled by a power of two so that the largest lies in [0.5, 1) and none is lost that counts. A
/// response of theirs times `alpha` is no larger than the largest pixel, whatever the image, so that half
/// precision holds it; times `back` it is the response that was asked for. Both are powers of two.
struct HalfTaps {
  std::vector<Half> taps;  ///< [F][C][kh][kw], or [F][kh][kw][C] with the channels last
  float alpha = 1.0f;
  float back = 1.0f;
};

/// Taps [F][C][kh][kw] as [F][kh][kw][C].
std::vector<float> channelsLastTaps(const ConvolutionProblem& problem, const std::vector<float>& taps);

HalfTaps halfTaps(const ConvolutionProblem& problem, const std::vector<float>& taps, bool channelsLast);

}  // namespace bankside::cuda
