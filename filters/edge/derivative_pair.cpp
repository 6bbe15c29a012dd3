#include "filters/edge/derivative_pair.h"

#include "filters/taps/tap_grid.h"

namespace bankside {

std::vector<Filter> derivativePair(const std::vector<double>& smoothing,
                                   const std::vector<double>& difference) {
  const int side = static_cast<int>(smoothing.size());
  TapGrid dx(side, side);
  TapGrid dy(side, side);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      dx.at(y, x) = smoothing[static_cast<std::size_t>(y)] * difference[static_cast<std::size_t>(x)];
      dy.at(x, y) = dx.at(y, x);
    }
  }
  std::vector<Filter> filters = {dx.toFilter("dx"), dy.toFilter("dy")};
  filters[0].orientation = 0.0;
  filters[1].orientation = 90.0;
  return filters;
}

}  // namespace bankside
