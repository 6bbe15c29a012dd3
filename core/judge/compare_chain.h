/// Is what a second bank made of a first one's maps right? Judged against the exact responses of both.
#pragma once

#include "core/judge/compare.h"
#include "core/judge/exact_maps.h"

namespace bankside {

/// As `verifyRows`, for a problem whose source are maps (core/judge/exact_maps.h has their values m and
/// errors e). A response of the second bank is sum t a over activated maps a, and its candidates' bound is
///   sum |t| e  +  factor x sum |t| (|a| + e)
/// the first stage's errors as the taps spread them, and the second plan's own over the maps as they may be.
/// Combines and result types go on from there by the same rule. Throws as `verifyRows`
Verification verifyOverMaps(const ConvolutionProblem& problem, const FilterBank& bank, ExactMaps& maps,
                            const Region& region, const std::vector<Image>& outputs, const ErrorBound& bound,
                            const std::vector<int>& rows, int threads, const std::stop_token& stop);

}  // namespace bankside
