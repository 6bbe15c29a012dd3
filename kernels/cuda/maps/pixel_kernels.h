/// What is done to every pixel on its own: functions, folds of several steps' maps, combines of one step's.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "core/maps/pixel_function.h"
#include "core/plane_view.h"
#include "core/problem.h"

namespace bankside::cuda {

using Planes = std::vector<PlaneView<float>>;

/// Every map of `from` through the function, into the map of `to` at its place. All of one size, as below.
/// Errors  Error{Device}, as below
void startPixelFunction(const PixelFunction& function, const Planes& from, const Planes& to,
                        cudaStream_t stream);

/// Steps' maps into one, with a number each.
void startPixelFold(PixelFold fold, const Planes& from, const std::vector<float>& numbers,
                    const PlaneView<float>& to, cudaStream_t stream);

/// `eigenvaluesOf` the three maps, into two.
void startEigenvalues(const Planes& from, const Planes& to, cudaStream_t stream);

/// Maps into one by the rule of core/combine.h; neither None nor ArgMax.
void startCombine(Combine combine, const Planes& from, const PlaneView<float>& to, cudaStream_t stream);

}  // namespace bankside::cuda
