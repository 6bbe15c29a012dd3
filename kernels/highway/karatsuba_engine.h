/// `cpu:karatsuba`: direct sums of groups of rows that share products, f32, by Highway.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

/// Fewer multiply-adds than taps: 3/4 or 9/16 of them, for filters of many rows (see group_program.h). Sums
/// meet differences of pixels, so errors are relative to the largest sum that a place could have, not to each
/// pixel's own. Pixels whose sums are not finite are made as `cpu:direct` makes them.
std::unique_ptr<Engine> makeKaratsubaEngine();

}  // namespace bankside
