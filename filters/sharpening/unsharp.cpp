/// Unsharp masking as one filter: the image plus `amount` times what a Gaussian takes from it.
///   taps = delta + amount * (delta - gaussian)
#include "filters/taps/banks.h"
#include "filters/taps/parameters.h"
#include "filters/taps/tap_grid.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  const double sigma = arguments.number("sigma");
  const double amount = arguments.number("amount");
  const int size = arguments.integerOr("size", oddSideFor(3 * sigma));
  TapGrid taps = gaussianGrid(size, sigma);
  taps *= -amount;
  taps.at(size / 2, size / 2) += 1 + amount;
  Filter filter = taps.toFilter("unsharp");
  filter.scale = sigma;
  return {filter};
}

}  // namespace

CatalogEntry unsharpBank() {
  return {.name = "unsharp",
          .family = "sharpening",
          .title = "Unsharp masking with a Gaussian, as one filter",
          .citation = "W. K. Pratt. Digital Image Processing. Wiley, 1978",
          .parameters = {{.name = "sigma",
                          .description = "standard deviation of the Gaussian in pixels",
                          .defaultValue = "1",
                          .min = 0.1,
                          .max = 100},
                         {.name = "amount",
                          .description = "how much of the detail is added",
                          .defaultValue = "1",
                          .min = 0,
                          .max = 100},
                         sizeParameter("3 sigma", ParameterKind::OddInteger)},
          .generate = generate};
}

}  // namespace bankside
