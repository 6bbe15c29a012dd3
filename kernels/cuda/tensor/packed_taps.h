/// A bank as the tensor cores read it: taps scaled, split into halves, in blocks of columns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/magnitude_range.h"
#include "core/problem.h"
#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

struct PackedTaps {
  /// Halves [pass][block][step][tapColumns / 8][2][8][8]: of 8 columns, halves 0 to 7, then halves 8 to 15, a
  /// column's 8 halves side by side.
  std::vector<std::uint16_t> halves;
  /// A filter's sums times its scale are its responses: a power of two.
  std::vector<float> scales;
};

/// What the sums of a filter are multiplied by: its taps divided by it are below 2^15. 1 for a filter of
/// zeros. Errors  Error{Unsupported} where the taps are too far apart in size for two halves (see split.h)
float tapScale(const float* taps, int count);

/// What the largest f32 pixel of a block may be, so that one power of two brings the block to halves and,
/// with a filter's scale, its sums back. `taps` as below, `scales` as in PackedTaps.
MagnitudeRange pixelRange(const std::vector<float>& taps, const std::vector<float>& scales);

/// Whether sums lose nothing in any order: 8 or 16 bit pixels, an integer border, and a filter's taps such
/// multiples of one power of two that every sum is below 2^24 of it (and a thousandth less, for halves of
/// taps that are rounded up). `taps` as below.
bool sumsAreExact(const ConvolutionProblem& problem, const std::vector<float>& taps);

/// What sums as accurate as f32's need, and no more. Exact: u8 pixels and taps that half precision holds,
/// with exact sums. Every: integer taps that it does not hold, so that both their halves meet both parts of
/// pixels. `taps` as below.
PartialProducts productsFor(const ConvolutionProblem& problem, const std::vector<float>& taps);

/// `taps` in correlation form, [filter][row][column]. Errors  as `tapScale`
PackedTaps packTaps(const TensorLayout& layout, const ConvolutionProblem& problem,
                    const std::vector<float>& taps);

}  // namespace bankside::cuda
