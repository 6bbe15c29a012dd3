/// The engines for filters over several channels at once.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// `cuda:multichannel`: filters up to 15 x 15 over any number of channels, f32 sums in the order channel,
/// row, column with one fused multiply-add a tap; where channels are split (never with Precision::Exact),
/// parts are added in order. Source Chen et al., DAC 2017, section 4 and Algorithm 2. Deviations: in
/// summed_kernel.cuh's head
std::unique_ptr<Engine> makeMultichannelEngine();

/// `cuda:multichannel-fp16x3`: sums of three products of halves on the tensor cores, with an error bound of
/// its own (tensor_taps.h).
std::unique_ptr<Engine> makeSplitHalfMultichannelEngine();

/// `cuda:multichannel-fp16`: pixels and taps rounded to half precision, products on the tensor cores, f32
/// sums; a bound of its own (tensor_taps.h).
std::unique_ptr<Engine> makeHalfMultichannelEngine();

}  // namespace bankside
