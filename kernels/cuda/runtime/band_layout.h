/// How the results of a band lie, on the device and in the memory that they are downloaded to.
#pragma once

#include "core/problem.h"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

/// Planes of values, then those of indices, of one image after the other; rows begin at multiples of 64
/// elements.
struct BandLayout {
  explicit BandLayout(const ConvolutionProblem& problem)
      : type(outputPlaneType(problem, 0)),
        withIndex(problem.combine == Combine::ArgMax),
        valuePlanes(static_cast<int>(outputPlanes(problem).size()) / (withIndex ? 2 : 1)) {}

  ElementType type;
  bool withIndex;
  int valuePlanes;

  int stride(int width) const { return roundUp(width, 64); }
  std::size_t bytes(int width, int rows) const {
    const std::size_t pixels = static_cast<std::size_t>(stride(width)) * static_cast<std::size_t>(rows);
    return pixels * static_cast<std::size_t>(valuePlanes) * (sizeOf(type) + (withIndex ? 2 : 0));
  }
};

}  // namespace bankside::cuda
