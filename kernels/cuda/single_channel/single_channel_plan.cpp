#include "kernels/cuda/single_channel/single_channel_plan.h"

#include "kernels/cuda/single_channel/device_choice.h"
#include "kernels/cuda/single_channel/loaded_bank.h"

namespace bankside::cuda {
namespace {

/// The bank of the single-channel kernels: every group is one plane.
class SingleChannelBand final : public BandKernel {
 public:
  SingleChannelBand(const ConvolutionProblem& problem, const CorrelationTaps& taps, const PlanTuning& tuning)
      : bound_{gammaBound(static_cast<double>(problem.filterHeight) * problem.filterWidth), true},
        bank_(
            problem, taps,
            tuning.choice.variant >= 0 ? tuning.choice : chooseOnDevice(problem, taps.anchorX, taps.anchorY),
            tuning.besideOthers) {}

  std::string describe() const override { return bank_.describe(); }
  NumericTraits traits() const override { return {.errorBound = bound_}; }
  void start(KernelArguments a, std::ptrdiff_t, int, cudaStream_t stream) override { bank_.start(a, stream); }

 private:
  ErrorBound bound_;
  LoadedBank bank_;
};

}  // namespace

std::unique_ptr<Plan> makeSingleChannelPlan(const ConvolutionProblem& problem, const FilterBank& bank,
                                            const PlanOptions& options, const PlanTuning& tuning) {
  const CorrelationTaps taps = correlationTaps(problem, bank);
  return makeBandPlan(
      problem, taps.anchorY, [problem, taps, tuning] { return makeSingleChannelBand(problem, taps, tuning); },
      options, tuning.bandBytes);
}

std::unique_ptr<BandKernel> makeSingleChannelBand(const ConvolutionProblem& problem,
                                                  const CorrelationTaps& taps, const PlanTuning& tuning) {
  return std::make_unique<SingleChannelBand>(problem, taps, tuning);
}

}  // namespace bankside::cuda
