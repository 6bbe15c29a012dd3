/// Which form of the tensor-core kernels runs here.
#pragma once

#include "core/engine.h"
#include "kernels/cuda/tensor/tensor_choice.h"

namespace bankside::cuda {

/// Whether `cuda:tensor` can run: a device that can be used, and kernels of this build for its tensor cores.
/// Else one sentence.
Support tensorState();

/// How it multiplies here: `wgmma` where the device and its code are of 9.0, else `mma.sync`. Decided nowhere
/// else. Errors  Error{Unsupported} with the sentence of `tensorState`
TensorUnits tensorUnits();

}  // namespace bankside::cuda
