/// A bank over several channels on the device, and how its launches go.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/cuda/multichannel/fma/choose_summed.h"
#include "kernels/cuda/multichannel/fma/summed_arguments.h"
#include "kernels/cuda/multichannel/tensor/tensor_parts.h"
#include "kernels/cuda/multichannel/tensor/tensor_taps.h"
#include "kernels/cuda/runtime/band_kernel.h"
#include "kernels/cuda/runtime/device_buffer.h"

namespace bankside::cuda {

/// Taps on the device, and the memory between the launches of one run: sources widened to f32, responses that
/// wait to be combined. How the sums are made is its heirs'.
class ChannelBank : public BandKernel {
 public:
  std::size_t workBytesPerRow(int width) const override;
  int rowUnit() const override { return 1; }

  /// All channels of the source are `a.src`'s, `channelStride` elements apart.
  void start(KernelArguments a, std::ptrdiff_t channelStride, int sourceRows, cudaStream_t stream) override {
    startBatch(a, {}, channelStride, sourceRows, stream);
  }

  /// One launch for all images, or where a channel has more than 2^31 elements (its kernels count them in 32
  /// bits) one for every band of rows. Errors  Error{Limit} for too many images, or rows too long even so
  void startBatch(KernelArguments a, const ImageBatch& batch, std::ptrdiff_t channelStride, int sourceRows,
                  cudaStream_t stream) override;

  /// The latter: `rows` rows of results at a time, of a source that is whole images; f32 rows with the border
  /// resolved are gathered for each.
  void startInBands(const KernelArguments& a, const ImageBatch& batch, std::ptrdiff_t channelStride, int rows,
                    cudaStream_t stream);

 protected:
  ChannelBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, int parts,
              std::span<const std::byte> layout);

  /// Whether pixels are read as they are stored; else they are widened to f32 before.
  virtual bool readsAnyType() const { return false; }
  /// One launch, everything but the kernel's own part filled in.
  virtual void launch(SummedArguments& arguments, cudaStream_t stream) = 0;

  const ConvolutionProblem& problem() const { return problem_; }
  /// Multiply-adds behind one response.
  double products() const {
    return static_cast<double>(problem_.tapChannels()) * problem_.filterHeight * problem_.filterWidth;
  }
  int parts() const { return parts_; }

 private:
  /// Whether responses lie in memory as f32 before they are what was asked for: those that are combined, and
  /// where one launch adds to what another has stored, those that are no f32 in the end.
  bool keepsResponses() const;
  /// Sums, and what becomes of responses that are kept; `s` has a source that they can read.
  void finish(SummedArguments s, cudaStream_t stream);
  SummedArguments argumentsOf(const KernelArguments& a, const ImageBatch& batch) const;

  ConvolutionProblem problem_;
  int anchorX_;
  int anchorY_;
  int parts_;
  DeviceBuffer taps_, widened_, responses_;
};

/// f32 multiply-adds in one of the compiled shapes.
class SummedBank final : public ChannelBank {
 public:
  /// `together`: what is launched where that is the faster one for several images; it splits channels as
  /// `choice` does, so that bytes are the same.
  SummedBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, const SummedChoice& choice,
             const SummedChoice& together);
  SummedBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, const SummedChoice& choice)
      : SummedBank(problem, taps, choice, choice) {}
  std::string describe() const override { return cuda::describe(choice_); }
  NumericTraits traits() const override;
  int imagesTogether() const override { return imagesToFill(together_, problem()); }

 private:
  void launch(SummedArguments& arguments, cudaStream_t stream) override;

  SummedChoice choice_;
  SummedChoice together_;
  DeviceBuffer tapsTogether_;  ///< for a block of more or fewer filters than `choice`'s
};

/// Matrix products on the tensor cores.
class MatrixBank final : public ChannelBank {
 public:
  /// Channels are split as is best for launches over `images` images.
  MatrixBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, TensorMode mode, int images);
  std::string describe() const override;
  NumericTraits traits() const override;
  int imagesTogether() const override;

 private:
  MatrixBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, TensorMode mode,
             TensorSplit split, const TensorTaps& laidOut);
  bool readsAnyType() const override { return true; }
  void launch(SummedArguments& arguments, cudaStream_t stream) override;

  TensorMode mode_;
  TensorTile tile_;
  float tapScaleBack_ = 1.0f;
};

}  // namespace bankside::cuda
