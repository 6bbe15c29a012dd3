/// `cuda:tensor`: filter banks over one channel on tensor cores (from Ampere on), as accurate as f32 or, with
/// `-fp16`, as half precision.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// Taps, and pixels of 16 and 32 bits, are split into halves that lose nothing f32 sums would notice
/// (split.h); products are exact and sums f32. Integer taps on integer images are exact as long as
/// their sums fit (sumsAreExact). Tiles that halves cannot hold (NaN, infinities, f32 pixels too far apart)
/// are computed in f32. In a build without nvcc: an engine that refuses.
std::unique_ptr<Engine> makeTensorEngine();

/// `cuda:tensor-fp16`: the same with taps, and pixels of 16 and 32 bits, rounded to one half: one product
/// where that has two or three (four for large integers); a bound of its own. Exact where `cuda:tensor` has
/// one product as well: see productsFor.
std::unique_ptr<Engine> makeHalfTensorEngine();

}  // namespace bankside
