/// Roberts's cross: the two diagonals of a 2 x 2 square, its upper left pixel being the anchor.
///   d1 = f(x, y) - f(x+1, y+1)      d2 = f(x+1, y) - f(x, y+1)
#include "filters/taps/banks.h"
#include "filters/taps/tap_grid.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments&) {
  std::vector<Filter> filters = {TapGrid(2, 2, {1, 0, 0, -1}).toFilter("d1"),
                                 TapGrid(2, 2, {0, 1, -1, 0}).toFilter("d2")};
  for (Filter& filter : filters) filter.anchorX = filter.anchorY = 0;
  filters[0].orientation = 225.0;
  filters[1].orientation = 315.0;
  return filters;
}

}  // namespace

CatalogEntry robertsBank() {
  return {.name = "roberts",
          .family = "edge",
          .title = "Roberts cross: differences along the two diagonals of 2 x 2 pixels",
          .citation = "L. G. Roberts. Machine perception of three-dimensional solids. PhD thesis, MIT, 1963",
          .parameters = {},
          .generate = generate};
}

}  // namespace bankside
