/// Bands of rows through the device: upload, compute and download at the same time, each on its own stream,
/// over the bands of one image and on to those of the next. Small images that wait together share copies and
/// launches, where the kernel takes several.
#pragma once

#include <memory>

#include "core/engine.h"
#include "kernels/cuda/runtime/band_kernel.h"

namespace bankside::cuda {

/// Source and results of one band.
inline constexpr double defaultBandBytes = 32.0 * (1 << 20);

/// Any bank on the device. `anchorY` is that of the correlation form.
/// Errors  Error{Device}, Error{Limit}
std::unique_ptr<Plan> makeBandPlan(const ConvolutionProblem& problem, int anchorY,
                                   std::unique_ptr<BandKernel> kernel, const PlanOptions& options,
                                   double bandBytes = defaultBandBytes);

}  // namespace bankside::cuda
