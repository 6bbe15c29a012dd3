/// Difference of Gaussians, the wide one minus the narrow one: positive on a dark blob, as `log`, which it
/// approximates at a ratio of 1.6. Each Gaussian adds up to 1 over the window, so the taps add up to 0.
#include "filters/taps/banks.h"
#include "filters/taps/parameters.h"
#include "filters/taps/tap_grid.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  const double sigma = arguments.number("sigma");
  const double wide = sigma * arguments.number("ratio");
  const int size = arguments.integerOr("size", oddSideFor(3 * wide));
  TapGrid taps = gaussianGrid(size, wide);
  taps.add(-1, gaussianGrid(size, sigma));
  Filter filter = taps.toFilter("dog");
  filter.scale = sigma;
  return {filter};
}

}  // namespace

CatalogEntry dogBank() {
  return {.name = "dog",
          .family = "edge",
          .title = "Difference of Gaussians, wide minus narrow",
          .citation =
              "D. Marr, E. Hildreth. Theory of edge detection. Proceedings of the Royal Society of London B "
              "207:187-217, 1980, with their ratio of 1.6",
          .parameters = {{.name = "sigma",
                          .description = "standard deviation of the narrow Gaussian in pixels",
                          .defaultValue = "1",
                          .min = 0.3,
                          .max = 20},
                         {.name = "ratio",
                          .description =
                              "standard deviation of the wide Gaussian divided by that of the narrow one",
                          .defaultValue = "1.6",
                          .min = 1.01,
                          .max = 20},
                         sizeParameter("3 sigma ratio")},
          .generate = generate};
}

}  // namespace bankside
