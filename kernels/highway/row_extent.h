/// How large the pixels of a row are, and making them smaller.
#pragma once

#include "core/magnitude_range.h"

namespace bankside::direct {

/// The largest |pixel|, infinity if any is NaN.
float largestOfRow(const float* pixels, int count);

/// Of the finite pixels of a row: the largest |pixel|, the largest that is at most some bound, and how many
/// are beyond that.
struct RowExtent {
  float largest = 0;
  float largestPlain = 0;
  int huge = 0;
};
RowExtent extentOfRow(const float* pixels, int count, float most);

/// Pixels times a power of two, 0 for those beyond `most` and NaN. `to` may be `pixels`.
void scaleRow(const float* pixels, int count, float most, const PowerOfTwo& power, float* to);

}  // namespace bankside::direct
