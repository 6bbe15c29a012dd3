#include "kernels/cuda/single_channel/single_channel_pass.h"

#include "core/error.h"
#include "kernels/cuda/runtime/kernel_pass.h"
#include "kernels/cuda/tuning/device_choice.h"

namespace bankside::cuda {
std::unique_ptr<DevicePass> makeSingleChannelPass(const ConvolutionProblem& problem, const FilterBank& bank,
                                                  const PlanTuning& tuning) {
  const CorrelationTaps taps = correlationTaps(problem, bank);
  Choice choice = tuning.choice;
  if (choice.variant < 0) choice = chooseOnDevice(problem, taps.anchorX, taps.anchorY);
  if (problem.channels != 1 || problem.width % 4 != 0 ||
      !fits(variants()[static_cast<std::size_t>(choice.variant)], problem, taps.anchorX, taps.anchorY))
    throw Error(ErrorCode::Unsupported,
                "variant " + variants()[static_cast<std::size_t>(choice.variant)].name + " cannot run " +
                    format(problem) + " without copies (one channel, rows of whole groups of four pixels)");
  return makeKernelPass(problem, makeSingleChannelBand(problem, taps, {.choice = choice}));
}

}  // namespace bankside::cuda
