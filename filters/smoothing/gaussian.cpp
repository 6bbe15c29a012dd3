/// A sampled Gaussian that adds up to 1 over its window.
#include "filters/taps/banks.h"
#include "filters/taps/tap_grid.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  const double sigma = arguments.number("sigma");
  Filter filter =
      gaussianGrid(arguments.integerOr("size", oddSideFor(3 * sigma)), sigma).toFilter("gaussian");
  filter.scale = sigma;
  return {filter};
}

}  // namespace

CatalogEntry gaussianBank() {
  return {
      .name = "gaussian",
      .family = "smoothing",
      .title = "Gaussian smoothing",
      .citation = "A. P. Witkin. Scale-space filtering. Proceedings of IJCAI, 1983",
      .parameters =
          {{.name = "sigma",
            .description = "standard deviation in pixels",
            .defaultValue = "1",
            .min = 0.1,
            .max = 100},
           {.name = "size",
            .description =
                "side in pixels; auto is 2 ceil(3 sigma) + 1; an even one moves the picture by half a pixel",
            .defaultValue = "auto",
            .kind = ParameterKind::Integer,
            .min = 1,
            .max = maxFilterSide,
            .takesAuto = true}},
      .generate = generate};
}

}  // namespace bankside
