/// Banks whose taps are all so small that responses to ordinary pixels may be denormal, which processors sum
/// up to 200 times as slowly. Their taps are raised by a power of two, and what comes of them is lowered
/// again, without an operation that meets a denormal number.
#pragma once

#include "core/engine.h"

namespace bankside::direct {

/// Raises the taps of such a bank where the results are f32, and says by which power of two; 0: left as they
/// were.
int raiseTaps(const ConvolutionProblem& problem, CorrelationTaps& taps);

/// Multiplies by 2^-exponent and rounds, below f32's normal numbers too. Errors in the last place of the
/// smallest denormal number are possible there.
void lower(float* values, int count, int exponent);

}  // namespace bankside::direct
