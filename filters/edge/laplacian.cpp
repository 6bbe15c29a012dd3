/// The discrete Laplacian: the neighbours minus as many times the middle. Positive on a dark dot.
#include "filters/taps/banks.h"
#include "filters/taps/tap_grid.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  if (arguments.text("neighbours") == "4") {
    return {TapGrid(3, 3, {0, 1, 0, 1, -4, 1, 0, 1, 0}).toFilter("laplacian4")};
  }
  return {TapGrid(3, 3, {1, 1, 1, 1, -8, 1, 1, 1, 1}).toFilter("laplacian8")};
}

}  // namespace

CatalogEntry laplacianBank() {
  return {.name = "laplacian",
          .family = "edge",
          .title = "Laplacian over 4 or 8 neighbours, 3 x 3",
          .citation = "A. Rosenfeld, A. C. Kak. Digital Picture Processing. Academic Press, 1976",
          .parameters = {{.name = "neighbours",
                          .description = "which neighbours count: 4 without the diagonals, 8 with them",
                          .defaultValue = "4",
                          .kind = ParameterKind::Choice,
                          .choices = {"4", "8"}}},
          .generate = generate};
}

}  // namespace bankside
