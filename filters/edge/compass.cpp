#include "filters/edge/compass.h"

#include "filters/taps/tap_grid.h"

namespace bankside {

std::vector<Filter> compassFilters(const std::string& prefix, const std::array<double, 9>& east) {
  // Positions of the ring in the order in which a turn by 45 degrees moves them on.
  constexpr std::array<std::size_t, 8> ring = {0, 1, 2, 5, 8, 7, 6, 3};
  constexpr std::array<const char*, 8> points = {"e", "se", "s", "sw", "w", "nw", "n", "ne"};
  std::vector<Filter> filters;
  for (std::size_t turn = 0; turn < 8; ++turn) {
    std::vector<double> taps(east.begin(), east.end());
    for (std::size_t i = 0; i < 8; ++i) taps[ring[(i + turn) % 8]] = east[ring[i]];
    filters.push_back(TapGrid(3, 3, std::move(taps)).toFilter(prefix + "-" + points[turn]));
    filters.back().orientation = 45.0 * static_cast<double>(turn);
  }
  return filters;
}

}  // namespace bankside
