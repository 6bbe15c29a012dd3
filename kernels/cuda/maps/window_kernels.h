/// Operations that look around a pixel, but for means (local_mean_kernels.h).
#pragma once

#include <cuda_runtime_api.h>

#include "core/plane_view.h"

namespace bankside::cuda {

/// `weights` in device memory, as `dilationWeights` gives them; `across`: a plane for what lies between.
/// Errors  Error{Device}, as below
void startDilate(const PlaneView<float>& from, const float* weights, int reach,
                 const PlaneView<float>& across, const PlaneView<float>& to, cudaStream_t stream);

void startShift(const PlaneView<float>& from, int right, int down, const PlaneView<float>& to,
                cudaStream_t stream);

}  // namespace bankside::cuda
