/// How the results of a band lie, on the device and in the memory that they are downloaded to.
#pragma once

#include "core/plane_view.h"
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

  /// The i-th plane of an image whose results are these, in the order of `outputPlanes`.
  ConstPlane plane(const std::byte* results, int i, int width, int rows) const {
    const bool index = withIndex && i % 2 == 1;
    const ElementType planeType = index ? ElementType::U16 : type;
    const auto size = static_cast<std::ptrdiff_t>(sizeOf(planeType));
    const std::ptrdiff_t planeElements = static_cast<std::ptrdiff_t>(stride(width)) * rows;
    const std::ptrdiff_t valueBytes = valuePlanes * planeElements * static_cast<std::ptrdiff_t>(sizeOf(type));
    const std::ptrdiff_t before = (index ? valueBytes : 0) + (withIndex ? i / 2 : i) * planeElements * size;
    return {results + before, planeType, width, rows, stride(width) * size};
  }
};

}  // namespace bankside::cuda
