/// The engines of the GPU. Without nvcc at build time, or without a driver or device at run time, they are in
/// the list all the same and say why they are not available.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `cuda:single-channel`: one channel, or several one by one, any number of filters in one pass. Direct
/// order, f32, one fused multiply-add a tap: the bytes of `cpu:direct`. Source  Chen et al., DAC 2017,
/// section 3 and Algorithm 1. Deviations: in the kernels' file heads
std::unique_ptr<Engine> makeSingleChannelEngine();

/// `cuda:single-channel-paper`: Algorithm 1's own order, kept to be measured against what came after it. Odd
/// squares up to 7 x 7, plain responses.
std::unique_ptr<Engine> makePaperEngine();

/// What a build with kernels knows about itself: "24 kernels" or why there are none.
std::string cudaBuildSummary();

}  // namespace bankside
