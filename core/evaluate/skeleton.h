/// Thinning: what is left of a shape when it is one pixel wide.
#pragma once

#include "core/image.h"
#include "core/stop_check.h"

namespace bankside {

/// Guo and Hall's thinning: pixels of the rim are taken away, from two opposite sides in turn, as long as
/// what hangs together (over edges and corners) does so afterwards and no hole opens or closes; ends stay.
/// What lies outside the picture is ground. Shapes  u8 [1,H,W], not zero: shape -> u8 [1,H,W], 1 or 0 Source
/// Z. Guo, R. W. Hall, "Parallel thinning with two-subiteration algorithms", Communications of the
///         ACM 32(3):359-373, 1989, algorithm A1
Image skeletonOf(const Image& shape, const StopCheck& check = {});

}  // namespace bankside
