/// The plan behind `opencv:filter2D`. OpenCV's headers stay in the .cpp.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// One cv::filter2D call a filter and channel over whole planes.
///
/// What is timed is what a careful user would write:
/// - convert: u8, u16 and f16 pixels to f32 once for all filters, where that is the faster call
///   (filter2d_path.h)
/// - filter: straight into the sink's planes where these are f32; C summed channels are C calls, added
/// - combine: one pass over the plane after each call. Max, AbsMax, ArgMax, Sum and Mean are core/combine's
///   rows (cv::max drops NaN and takes the same time: 1.09 ms against 1.04 at 2048 x 2048); Magnitude is
///   cv::multiply, cv::accumulateSquare and cv::sqrt
/// - round: f32 responses to u8 and u16 sinks in one pass after each call
///
/// With one thread everything happens on the caller's. With more, as many filters at a time as there are
/// threads, because filter2D does not spread by itself; the passes between are spread over rows.
///
/// Regions, bands and borders that filter2D does not have or has wrong go through a padded f32 copy: the
/// direct path reads it in place, the DFT filters all of it and is cropped. Pixels that are not finite would
/// spread over a whole block of the DFT; images that have any are filtered directly, in double. The direct
/// path gives the same bytes for every region and thread count; the DFT's roundings depend on its blocks.
///
/// A stop is noticed between two calls, not within one.
std::unique_ptr<Plan> makeFilter2dPlan(const ConvolutionProblem& problem, const FilterBank& bank,
                                       const PlanOptions& options);

/// The same with one cv::sepFilter2D call a filter and channel, from u8 or f32 pixels as they are and from
/// the others converted once. Throws Error{Unsupported} unless every filter is a column times a row
/// (rank_one.h).
std::unique_ptr<Plan> makeSepFilter2dPlan(const ConvolutionProblem& problem, const FilterBank& bank,
                                          const PlanOptions& options);

}  // namespace bankside
