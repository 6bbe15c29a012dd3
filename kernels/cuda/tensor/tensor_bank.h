/// A bank on the device, ready for the tensor cores.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/cuda/runtime/band_kernel.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/single_channel/fallback_bank.h"
#include "kernels/cuda/tensor/packed_taps.h"
#include "kernels/cuda/tensor/tensor_arguments.h"
#include "kernels/cuda/tensor/tensor_choice.h"

namespace bankside::cuda {

/// How far a result may lie from the exact one. With u = 2^-24, relative to the sum of |tap x pixel|:
/// - Taps as two halves: at most 2u each (see split.h); f32 pixels the same again; other pixels are exact.
/// - Products of halves are exact in f32. An instruction adds 16 of them and the sum so far: each addend is
/// cut off at u of the largest, the result at 2u: 19u for each instruction of the longest sum, and none of
/// them exceeds the sum of magnitudes by more than this bound. `mma.sync` before Hopper adds eight at a time
/// (22u); 28u leaves room for four, of which nothing is measured.
/// - What the high halves of a tap and of its pixel both leave over is at most 2^-11 of each: 4u, left out
/// unless taps are integers.
/// - Sums of a result (chains, two sums that take turns, second parts) are added in f32, u each, after 2u for
/// the halves' sums; scales are powers of two.
/// Rounded, a tap is within 2^-11, a u16 or f32 pixel within 2^-11 more, and sums grow by as much.
/// Integer pixels, and taps that are multiples of one power of two, lose nothing where the sum of
/// |tap x pixel| times 1 + 2^-10 stays below 2^24 of it: high halves are rounded up, too (sumsAreExact). So
/// the bound of PartialProducts::Exact is 0.
/// Source  Fasi, Higham, Mikaitis, Pranesh: Numerical behavior of NVIDIA tensor cores, PeerJ CS 2021 (cut
/// off, not rounded); the test of this bound measures it. What is left to direct sums (results that see NaN,
/// infinities, f32 pixels more than 2^27 apart) keeps their bound; the larger of the two is given.
ErrorBound tensorErrorBound(const TensorLayout& layout, const ConvolutionProblem& problem);

class TensorBank final : public BandKernel {
 public:
  /// `products`: see productsFor; `choice`: of `tensorChoices` with them, of 0 shifts the first;
  /// `besideOthers` as BankUse's. Errors  Error{Unsupported} for taps too far apart in size; Error{Device},
  /// Error{Limit}
  TensorBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, PartialProducts products,
             const TensorChoice& choice = {}, bool besideOthers = false);

  std::string describe() const override;
  NumericTraits traits() const override;
  void start(KernelArguments a, std::ptrdiff_t channelStride, int sourceRows, cudaStream_t stream) override;

 private:
  /// How blocks walk over a region of that size, and where cores lie in their ring.
  void plan(int width, int height);

  ConvolutionProblem problem_;
  TensorLayout layout_;
  int anchorX_ = 0;
  int anchorY_ = 0;
  /// What launches have in common; their number of core places is large, so that nothing is copied.
  TensorArguments arguments_;
  int plannedWidth_ = 0, plannedHeight_ = 0;  ///< what its walk and core places are for
  DeviceBuffer packed_;
  DeviceBuffer scales_;
  std::optional<FallbackBank> fallback_;  ///< where pixels may be what halves do not hold
};

}  // namespace bankside::cuda
