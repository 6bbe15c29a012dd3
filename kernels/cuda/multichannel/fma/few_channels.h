/// Filters over a few channels, a colour image's: when they are summed tile by tile, and how long that takes.
#pragma once

#include <cstddef>

#include "core/problem.h"

namespace bankside::cuda {

/// Shared memory of a block: the tiles of all channels.
std::size_t fewChannelsBytes(const ConvolutionProblem& problem);

/// Filters that one block makes of a result of width x height; with a combine all of them.
int fewChannelsFilters(const ConvolutionProblem& problem, int width, int height, int multiprocessors);

/// Whether the tiles should be faster than `summed`: a pure function of the problem. Both sum in the direct
/// order, where `summed` does not split the channels.
bool takesFewChannels(const ConvolutionProblem& problem, double summedSeconds);

/// Seconds that a launch should take on an H200.
double fewChannelsSeconds(const ConvolutionProblem& problem);

}  // namespace bankside::cuda
