/// The mean over a square.
#include "filters/taps/banks.h"
#include "filters/taps/parameters.h"
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
          .parameters = {sideParameter("3")},
          .generate = generate};
}

}  // namespace bankside
