/// A bank as the tensor cores' kernel reads it: no CUDA, tested without a GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine.h"
#include "kernels/cuda/multichannel/tensor/tensor_layout.h"

namespace bankside::cuda {

/// Taps as halves in the order of `tensorTapPosition`, scaled by a power of two that brings the largest to
/// [2^14, 2^15), which `scaleBack` undoes.
struct TensorTaps {
  std::vector<std::uint32_t> words;
  float scaleBack = 1.0f;
};

/// `taps` are [F][C][kh][kw], in the correlation form.
TensorTaps tensorTaps(TensorMode mode, const ConvolutionProblem& problem, const std::vector<float>& taps);

/// What pixels are scaled by (`halfScaleBits` of it) where that is known without a look at them, else 0.
std::uint32_t knownLargestBits(const ConvolutionProblem& problem);

/// Whether pixels are scaled by the largest of them, so that those far below it (2^-17 of it with upper and
/// lower parts, 2^-29 with one) have fewer bits. The largest that a tile has met, channels in their order:
/// bytes of such pixels' results may then differ from one band or region to another.
bool looksForLargest(const ConvolutionProblem& problem);

/// How far a response may be off.
///
/// Fp16x3: of a product, lower x lower (2^-22) and what the lower parts lose when they become halves (2^-22
/// each) are missing: less than 2^-20 of every |tap x pixel|; what lies far under the largest tap or pixel
/// loses more, as below. A step's sum is added to the steps before in f32.
///
/// Fp16: tap and pixel are rounded to 11 bits: 2^-10 + 2^-22 of every |tap x pixel| (u8 and f16 pixels are
/// halves as they are: 2^-11). What lies under 2^-29 of the largest tap or pixel is rounded to a multiple of
/// 2^-25 at a scale where that one is at least 2^14: 2^-39 of the largest pixel for every tap and of the
/// largest tap for every pixel, which is (1 + taps of a filter) x 2^-38 of the largest sum of |tap x pixel|
/// that the image could have (with upper and lower parts: what lies under 2^-17 of the largest, the same
/// 2^-39). So the bound is against that sum, not the pixel's own. An instruction adds 16 products, of 17
/// terms, to a sum; each term may lose 2^-23 of the largest where f32 rounds by 2^-24.
ErrorBound tensorErrorBound(TensorMode mode, const ConvolutionProblem& problem, int parts);

}  // namespace bankside::cuda
