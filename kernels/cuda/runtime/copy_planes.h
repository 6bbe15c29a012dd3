/// Planes whose pixels lie anyhow, copied to where kernels take them and back.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/device_planes.h"

namespace bankside::cuda {

/// `planes` planes of width x height pixels, `pixelBytes` (1, 2 or 4) each, to other places of any steps.
/// Addresses and steps are multiples of the pixel's size. Errors  Error{Device}
void startCopyPlanes(const DevicePlanes& src, const DevicePlanes& dst, int planes, int height, int width,
                     int pixelBytes, cudaStream_t stream);

}  // namespace bankside::cuda
