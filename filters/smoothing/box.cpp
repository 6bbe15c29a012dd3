/// The mean over a square.
#include "filters/taps/banks.h"
#include "filters/taps/tap_grid.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  const int size = arguments.integer("size");
  return {TapGrid(size, size, [&](double, double) { return 1.0 / (size * size); }).toFilter("box")};
}

}  // namespace

CatalogEntry boxBank() {
  return {.name = "box",
          .family = "smoothing",
          .title = "Box: the mean over a square",
          .citation = "A. Rosenfeld, A. C. Kak. Digital Picture Processing. Academic Press, 1976",
          .parameters = {{.name = "size",
                          .description = "side in pixels",
                          .defaultValue = "3",
                          .kind = ParameterKind::Integer,
                          .min = 1,
                          .max = maxFilterSide}},
          .generate = generate};
}

}  // namespace bankside
