/// Bands of rows through the device: upload, compute and download at the same time, each on its own stream.
#pragma once

#include <memory>

#include "core/engine.h"
#include "kernels/cuda/band_kernel.h"
#include "kernels/cuda/choose_variant.h"

namespace bankside::cuda {

/// Source and results of one band.
inline constexpr double defaultBandBytes = 32.0 * (1 << 20);

struct PlanTuning {
  Choice choice;  ///< variant -1: `chooseOnDevice`'s
  double bandBytes = defaultBandBytes;
};

/// Errors  Error{BadInput} if the bank is not the problem's; Error{Device}, Error{Limit}
std::unique_ptr<Plan> makeSingleChannelPlan(const ConvolutionProblem& problem, const FilterBank& bank,
                                            const PlanOptions& options, const PlanTuning& tuning = {});

/// The bank alone: every response group is one plane. Errors  as makeSingleChannelPlan
std::unique_ptr<BandKernel> makeSingleChannelBand(const ConvolutionProblem& problem,
                                                  const CorrelationTaps& taps, const PlanTuning& tuning = {});

/// The same for any bank on the device. `anchorY` is that of the correlation form.
std::unique_ptr<Plan> makeBandPlan(const ConvolutionProblem& problem, int anchorY,
                                   std::unique_ptr<BandKernel> kernel, const PlanOptions& options,
                                   double bandBytes = defaultBandBytes);

}  // namespace bankside::cuda
