/// Laplacian of Gaussian, positive on a dark blob, zero mean.
///   taps = (r^2 - 2 sigma^2) / sigma^4 * g(r),  g the Gaussian that adds up to 1 over the window,
///   minus their mean, which the cut-off tails leave behind.
/// Source  D. Marr, E. Hildreth, 1980. Deviation: g is normalised over the window, not by 1 / (2 pi sigma^2).
#include "filters/taps/banks.h"
#include "filters/taps/parameters.h"
#include "filters/taps/tap_grid.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  const double sigma = arguments.number("sigma");
  const int size = arguments.integerOr("size", oddSideFor(4 * sigma));
  TapGrid taps = gaussianGrid(size, sigma);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double px = taps.positionX(x);
      const double py = taps.positionY(y);
      taps.at(y, x) *= (px * px + py * py - 2 * sigma * sigma) / (sigma * sigma * sigma * sigma);
    }
  }
  const TapGrid ones(size, size, [](double, double) { return 1.0; });
  taps.add(-taps.sum() / ones.sum(), ones);
  Filter filter = taps.toFilter("log");
  filter.scale = sigma;
  return {filter};
}

}  // namespace

CatalogEntry logBank() {
  return {.name = "log",
          .family = "edge",
          .title = "Laplacian of Gaussian",
          .citation =
              "D. Marr, E. Hildreth. Theory of edge detection. Proceedings of the Royal Society of London B "
              "207:187-217, 1980",
          .parameters = {{.name = "sigma",
                          .description = "standard deviation in pixels",
                          .defaultValue = "1.4",
                          .min = 0.3,
                          .max = 20},
                         sizeParameter("4 sigma")},
          .generate = generate};
}

}  // namespace bankside
