/// A bank over a few channels on the device.
#pragma once

#include "kernels/cuda/multichannel/fma/few_channels.h"
#include "kernels/cuda/pixels/fused.h"
#include "kernels/cuda/runtime/band_kernel.h"
#include "kernels/cuda/runtime/device_buffer.h"

namespace bankside::cuda {

/// (KernelArguments, int channels, ptrdiff_t elements from one to the next). `filtersPerPass`: one or two
/// where the width is compiled, one of others.
const void* fewChannelsKernelOf(int filterWidth, int filtersPerPass, Fused fused);

/// f32 multiply-adds in the direct order; where a block holds the tiles of all channels (`fewChannelsBytes`).
class FewChannelsBank final : public BandKernel {
 public:
  FewChannelsBank(const ConvolutionProblem& problem, const CorrelationTaps& taps);
  std::string describe() const override;
  NumericTraits traits() const override;
  int rowUnit() const override { return 1; }
  void start(KernelArguments a, std::ptrdiff_t channelStride, int sourceRows, cudaStream_t stream) override;

 private:
  ConvolutionProblem problem_;
  int anchorX_, anchorY_;
  int multiprocessors_;
  DeviceBuffer taps_;
};

}  // namespace bankside::cuda
