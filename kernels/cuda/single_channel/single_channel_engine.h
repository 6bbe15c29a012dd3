/// The engine for one channel. Without nvcc at build time, or without a driver or device at run time, it is
/// in the list all the same and says why it is not available.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `cuda:single-channel`: one channel, or several one by one, any number of filters in one pass. Direct
/// order, f32, one fused multiply-add a tap: the bytes of `cpu:direct`. Source  Chen et al., DAC 2017,
/// section 3 and Algorithm 1. Deviations: in the kernels' file heads
std::unique_ptr<Engine> makeSingleChannelEngine();

}  // namespace bankside
