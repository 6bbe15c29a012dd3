/// `cpu`: whichever of `cpu:direct`, `cpu:karatsuba`, `cpu:separable` and `cpu:fft` should be the fastest for
/// a problem.
///
/// The plan's variant names the path, which can be asked for by that name; its error bound is the path's.
/// Separable and transformed sums are as accurate as f32 sums of many terms are, but round otherwise, so even
/// integers may come out a few units in the last place off: who needs direct sums asks for `cpu:direct`, or
/// for precision "exact". The Karatsuba path is taken only where u8 and u16 pixels that direct sums keep
/// exact surely stay so.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

std::unique_ptr<Engine> makePlannerEngine();

}  // namespace bankside
