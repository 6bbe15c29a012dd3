/// How large the pixels of a row are.
#pragma once

namespace bankside::direct {

/// The largest |pixel|, infinity if any is NaN.
float largestOfRow(const float* pixels, int count);

}  // namespace bankside::direct
