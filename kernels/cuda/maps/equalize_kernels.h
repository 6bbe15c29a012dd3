/// Contrast-limited adaptive histogram equalisation, as core/maps/equalize.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include "core/maps/equalize.h"
#include "core/plane_view.h"

namespace bankside::cuda {

/// `levels`: device memory for EqualizeTiles::bins numbers a tile. Errors  Error{Device}
void startEqualize(const PlaneView<float>& from, const EqualizeTiles& tiles, double clip, double* levels,
                   const PlaneView<float>& to, cudaStream_t stream);

}  // namespace bankside::cuda
