/// Filters over a few channels, a colour image's: when they are summed tile by tile, and how long that takes.
#pragma once

#include <cstddef>

#include "core/problem.h"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

/// Widths of filters that are compiled are 1 to this.
inline constexpr int mostNarrowWidth = 7;

/// The tile of a compiled width: as wide and as tall as that of any size.
BANKSIDE_HOST_DEVICE constexpr TileShape fewChannelsShape(int filterWidth, int filtersPerPass) {
  return {filterWidth, 4, 4, filtersPerPass, 32, 8};
}

/// Filters that a thread sums at once: two of a compiled width, if there are two.
constexpr int fewChannelsPerPass(const ConvolutionProblem& p) {
  return p.filterWidth <= mostNarrowWidth && p.filterCount > 1 ? 2 : 1;
}

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
