/// Second derivatives of a Gaussian, times sigma squared so that widths can be compared: xx, xy and yy.
///   taps = ((x^2 - sigma^2) / sigma^2, x y / sigma^2, (y^2 - sigma^2) / sigma^2) * g(r),
///   g the Gaussian that adds up to 1 over the window, of which as much is taken away again that taps add up
///   to 0
/// The three are the Hessian of the smoothed image; the recipe step `eigenvalues` takes them.
/// Source  T. Lindeberg, 1998. Deviation: g is normalised over the window, the taps add up to 0 exactly.
#include "filters/taps/banks.h"
#include "filters/taps/tap_grid.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  const double sigma = arguments.number("sigma");
  const int size = oddSideFor(4 * sigma);
  const TapGrid gaussian = gaussianGrid(size, sigma);
  const double variance = sigma * sigma;
  const auto derivative = [&](const char* label, const TapGrid::Formula& factor) {
    TapGrid taps(size, size, factor);
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) taps.at(y, x) *= gaussian.at(y, x);
    }
    taps.add(-taps.sum(), gaussian);
    Filter filter = taps.toFilter(label);
    filter.scale = sigma;
    return filter;
  };
  return {derivative("xx", [=](double x, double) { return (x * x - variance) / variance; }),
          derivative("xy", [=](double x, double y) { return x * y / variance; }),
          derivative("yy", [=](double, double y) { return (y * y - variance) / variance; })};
}

}  // namespace

CatalogEntry hessianBank() {
  return {.name = "hessian",
          .family = "edge",
          .title = "Second derivatives xx, xy and yy of a Gaussian, times its variance",
          .citation =
              "T. Lindeberg. Edge detection and ridge detection with automatic scale selection. "
              "International Journal of Computer Vision 30(2):117-154, 1998",
          .parameters = {{.name = "sigma",
                          .description = "standard deviation of the Gaussian in pixels",
                          .defaultValue = "2",
                          .min = 0.5,
                          .max = 15}},
          .recipe = "frangi",
          .generate = generate};
}

}  // namespace bankside
