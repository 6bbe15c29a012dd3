/// Bands of rows through the devices: upload, compute and download at the same time, each on its own stream,
/// over the bands of one image and on to those of the next, and on to the next device where one is full.
/// Small images that wait together share copies and launches, where the kernel takes several.
#pragma once

#include <memory>

#include "core/engine.h"
#include "kernels/cuda/runtime/band_lane.h"

namespace bankside::cuda {

/// Source and results of one band.
inline constexpr double defaultBandBytes = 32.0 * (1 << 20);

/// Any bank, on the devices in use (devices_in_use.h): the lead alone until there is enough to do. How an
/// image is cut into bands does not depend on how many there are. `anchorY` is that of the correlation form.
/// Errors  Error{Device}, Error{Limit}
std::unique_ptr<Plan> makeBandPlan(const ConvolutionProblem& problem, int anchorY, LoadBank load,
                                   const PlanOptions& options, double bandBytes = defaultBandBytes);

/// A bank that is loaded, on the current device alone.
std::unique_ptr<Plan> makeBandPlan(const ConvolutionProblem& problem, int anchorY,
                                   std::unique_ptr<BandKernel> kernel, const PlanOptions& options,
                                   double bandBytes = defaultBandBytes);

}  // namespace bankside::cuda
