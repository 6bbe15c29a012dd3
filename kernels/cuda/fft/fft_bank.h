/// A bank's spectra on the device, and everything that a launch needs: nothing is allocated when one starts.
#pragma once

#include "kernels/cuda/fft/fft_kernels.h"
#include "kernels/cuda/fft/plane_transform.h"
#include "kernels/cuda/runtime/band_kernel.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/single_channel/fallback_bank.h"

namespace bankside::cuda {

/// Every pixel of a tile carries the tile's rounding errors, so the bound is against the largest sum of
/// magnitudes that the image could have. That of `cpu:fft` (kernels/fft/fft_engine.cpp, after Higham, theorem
/// 24.2), with every factor of two counted as a stage of radix 2 and the whole of it once more for what is
/// not known of cuFFT's own order and roots.
ErrorBound fftErrorBound(const FftLayout& layout);

class FftBank final : public BandKernel {
 public:
  /// Errors  Error{Unsupported} without cuFFT; Error{Device}, Error{Limit}
  FftBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, bool besideOthers = false);

  std::string describe() const override;
  NumericTraits traits() const override;
  int rowUnit() const override { return 1; }
  int rowsTogether() const override { return layout_.stepY; }
  void start(KernelArguments a, std::ptrdiff_t channelStride, int sourceRows, cudaStream_t stream) override;

 private:
  void makeSpectra(const CorrelationTaps& taps);
  void chooseRange(const CorrelationTaps& taps);

  ConvolutionProblem problem_;
  FftLayout layout_;
  int anchorX_ = 0;
  int anchorY_ = 0;
  int tilesAtOnce_ = 1;
  bool transforms_ = true;  ///< taps are not so large or small that all is summed directly
  MagnitudeRange range_;
  FallbackBank fallback_;
  PlaneTransform forward_;
  PlaneTransform inverse_;
  DeviceBuffer filters_, pixels_, images_, products_, responses_, extents_;
};

}  // namespace bankside::cuda
