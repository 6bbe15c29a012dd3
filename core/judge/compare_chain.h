/// Is what a pipeline's last stage made of the maps before it right? Judged against exact responses all the
/// way.
#pragma once

#include "core/judge/compare.h"
#include "core/judge/exact_maps.h"

namespace bankside {

/// As `verifyRows`, for a problem whose source are maps: core/judge/exact_maps.h has the bounds of responses.
/// Combines and result types go on from there by the same rule. Throws as `verifyRows`
Verification verifyOverMaps(const ConvolutionProblem& problem, const FilterBank& bank, ExactMaps& maps,
                            const Region& region, const std::vector<Image>& outputs, const ErrorBound& bound,
                            const std::vector<int>& rows, int threads, const std::stop_token& stop);

}  // namespace bankside
