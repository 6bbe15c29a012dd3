/// One call of OpenCV's `cv::hal::filter2D`, and whether libbankside can answer it.
#pragma once

#include <bankside/bankside.h>

#include <cstddef>
#include <cstdint>

namespace bankside::preload {

/// The arguments, named as OpenCV 4.6 names them. Types are OpenCV's: depth + 8 * (channels - 1).
struct FilterCall {
  int srcType, dstType, kernelType;
  std::uint8_t* src;
  std::size_t srcStep;
  std::uint8_t* dst;
  std::size_t dstStep;
  int width, height, fullWidth, fullHeight, offsetX, offsetY;
  const std::uint8_t* kernel;
  std::size_t kernelStep;
  int kernelWidth, kernelHeight, anchorX, anchorY;
  double delta;
  int border;
  bool submatrix;

  int channels() const { return (srcType >> 3) + 1; }
  float tap(const std::uint8_t* row, int x) const {
    return (kernelType & 7) == 6 ? static_cast<float>(reinterpret_cast<const double*>(row)[x])
                                 : reinterpret_cast<const float*>(row)[x];
  }
  bk_type srcDepth() const;
  bk_type dstDepth() const;
  bk_border edge() const;
};

/// Null where libbankside gives what OpenCV gives; else why it does not, in a few words.
const char* refusal(const FilterCall& call);

/// Null where libbankside is faster too; else why it is not. A rule and no measurement: the same call has the
/// same answer, and so the same bytes, whenever and wherever it is made (docs/library.md has the figures).
const char* disadvantage(const FilterCall& call);

}  // namespace bankside::preload
