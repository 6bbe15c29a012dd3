/// `cuda`: whichever of the GPU's engines should be the fastest for a problem and is as accurate as asked
/// for.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// The plan's variant names the engine, which can be asked for by that name, what was predicted for it and
/// the others, and why others are out; its error bound is that engine's. What the precision allows:
///   exact  `cuda:single-channel`, `cuda:multichannel` unsplit; `cuda:tensor` where sums lose nothing in any
///   order fp32   `cuda:tensor`, `cuda:multichannel-fp16x3` and `cuda:fft` too, whose bounds are of f32's
///   kind (as
///          `cpu` takes `cpu:fft`), where they were measured to err no more than serial f32 sums
///   fp16   `cuda:tensor-fp16` and `cuda:multichannel-fp16` too
/// It takes what the engines of `exact` take, so that no precision refuses what another one accepts.
std::unique_ptr<Engine> makeCudaPlannerEngine();

}  // namespace bankside
