/// A bank over several channels on the device, and how its launches go.
#pragma once

#include "kernels/cuda/band_kernel.h"
#include "kernels/cuda/device_buffer.h"
#include "kernels/cuda/multichannel/choose_summed.h"

namespace bankside::cuda {

/// Taps in the chosen shape's layout, and the memory between the launches of one run: sources widened to f32,
/// responses that wait to be combined.
class SummedBank final : public BandKernel {
 public:
  SummedBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, const SummedChoice& choice);

  std::string describe() const override { return cuda::describe(choice_); }
  ErrorBound errorBound() const override;
  std::size_t workBytesPerRow(int width) const override;

  /// All channels of the source are `a.src`'s, `channelStride` elements apart.
  void start(KernelArguments a, std::ptrdiff_t channelStride, int sourceRows, cudaStream_t stream) override;

 private:
  ConvolutionProblem problem_;
  int anchorX_;
  int anchorY_;
  SummedChoice choice_;
  DeviceBuffer taps_, widened_, responses_;
};

}  // namespace bankside::cuda
