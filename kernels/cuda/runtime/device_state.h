/// The device that this thread's calls are about (current_device.h): whether it can be used, and what kernels
/// and choices ask of it.
#pragma once

#include <string>

#include "core/engine.h"
#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/cuda/runtime/device_probe.h"

namespace bankside::cuda {

/// Whether CUDA can be used there. Else one sentence.
Support deviceState();

/// `deviceState`, and whether the device has Hopper's matrix instructions (compute capability 9.0 alone) and
/// the build has code for it: with older code launches have no clusters.
Support hopperState();

/// Errors  Error{Unsupported} with the sentence of `deviceState`
DeviceTraits deviceTraits();

/// "; not run yet on compute capability 8.6 by its makers": for a device of a kind that no test has run on.
/// Else empty.
std::string notTried();

}  // namespace bankside::cuda
