/// The activation between two banks, on maps that lie on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "core/activation.h"

namespace bankside::cuda {

/// In place: rows [0, rows) of `planes` planes of `width` f32 pixels, bit for bit as core/activation has it.
/// `rowStride` and `planeStride` in elements. Errors  Error{Device}
void launchActivation(Activation activation, float* maps, int planes, std::ptrdiff_t planeStride, int rows,
                      std::ptrdiff_t rowStride, int width, cudaStream_t stream);

}  // namespace bankside::cuda
