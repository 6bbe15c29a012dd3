/// What a pixel of a resampled map takes of another number of pixels.
#pragma once

#include <vector>

namespace bankside {

/// Along one axis: from `first` on, one weight a pixel.
struct Share {
  int first = 0;
  std::vector<float> weights;
};

/// Of each of `to` pixels, where there were `from`.
std::vector<Share> sharesOf(int from, int to);

}  // namespace bankside
