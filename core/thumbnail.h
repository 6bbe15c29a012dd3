/// A small picture of an image, to be looked at.
#pragma once

#include "core/image.h"

namespace bankside {

/// Fits into a square of `side` and never enlarges: means of boxes of pixels. u8 keeps its values; of other
/// types the least finite mean of all channels becomes 0 and the largest 255. What is not finite is 0.
/// Shapes  [C,H,W] -> u8 [3,h,w] of the first three channels where `color`, else [1,h,w] of the first
Image thumbnailOf(const Image& image, bool color, int side);

}  // namespace bankside
