/// Bands of rows through the device: upload, compute and download at the same time, each on its own stream.
#pragma once

#include <memory>

#include "core/engine.h"
#include "kernels/cuda/choose_variant.h"

namespace bankside::cuda {

struct PlanTuning {
  Choice choice;                        ///< variant -1: `chooseOnDevice`'s
  double bandBytes = 32.0 * (1 << 20);  ///< source and results of one band
};

/// Errors  Error{BadInput} if the bank is not the problem's; Error{Device}, Error{Limit}
std::unique_ptr<Plan> makeSingleChannelPlan(const ConvolutionProblem& problem, const FilterBank& bank,
                                            const PlanOptions& options, const PlanTuning& tuning = {});

}  // namespace bankside::cuda
