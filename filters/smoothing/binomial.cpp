/// Binomial smoothing: a row of Pascal's triangle times itself, divided by its sum. 3: [1 2 1]^T [1 2 1]
/// / 16.
#include <cmath>

#include "filters/taps/banks.h"
#include "filters/taps/binomial_row.h"
#include "filters/taps/parameters.h"
#include "filters/taps/tap_grid.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  const int size = arguments.integer("size");
  const std::vector<double> row = binomialRow(size);
  TapGrid taps(size, size);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      taps.at(y, x) = std::ldexp(row[static_cast<std::size_t>(y)], 1 - size) *
                      std::ldexp(row[static_cast<std::size_t>(x)], 1 - size);
    }
  }
  return {taps.toFilter("binomial")};
}

}  // namespace

CatalogEntry binomialBank() {
  return {.name = "binomial",
          .family = "smoothing",
          .title = "Binomial smoothing: close to a Gaussian of variance (size - 1) / 4",
          .citation = "B. Jaehne. Digital Image Processing. Springer, 1991 and later",
          .parameters = {sideParameter("3")},
          .generate = generate};
}

}  // namespace bankside
