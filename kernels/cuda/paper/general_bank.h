/// A bank for Algorithm 2 as the paper has it.
#pragma once

#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/paper/general_shape.h"

namespace bankside::cuda {

class GeneralBank final : public ChannelBank {
 public:
  /// `variant`: a position in `generalVariants()` whose filter size is the problem's.
  GeneralBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, int variant);
  std::string describe() const override;
  NumericTraits traits() const override;

 private:
  void launch(SummedArguments& arguments, cudaStream_t stream) override;

  int variant_;
};

}  // namespace bankside::cuda
