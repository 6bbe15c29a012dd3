/// The single-channel kernels in bands of rows.
#pragma once

#include <memory>

#include "core/engine.h"
#include "kernels/cuda/runtime/band_plan.h"
#include "kernels/cuda/single_channel/choose_variant.h"

namespace bankside::cuda {

struct PlanTuning {
  Choice choice;  ///< variant -1: `chooseOnDevice`'s
  double bandBytes = defaultBandBytes;
  bool besideOthers = false;  ///< as BankUse's
};

/// Errors  Error{BadInput} if the bank is not the problem's; Error{Device}, Error{Limit}
std::unique_ptr<Plan> makeSingleChannelPlan(const ConvolutionProblem& problem, const FilterBank& bank,
                                            const PlanOptions& options, const PlanTuning& tuning = {});

/// The bank alone: every response group is one plane. Errors  as makeSingleChannelPlan
std::unique_ptr<BandKernel> makeSingleChannelBand(const ConvolutionProblem& problem,
                                                  const CorrelationTaps& taps, const PlanTuning& tuning = {});

}  // namespace bankside::cuda
