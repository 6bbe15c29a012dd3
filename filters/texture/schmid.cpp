/// Schmid's round, Gabor-like filters: rings of several widths.
///   F(r; sigma, tau) = cos(pi tau r / sigma) exp(-r^2 / (2 sigma^2)) over a square of 49 pixels
///   taps = -(F - mean of F) / sum of |F - mean of F|
/// for (sigma, tau) = (2,1) (4,1) (4,2) (6,1) (6,2) (6,3) (8,1) (8,2) (8,3) (10,1) (10,2) (10,3) (10,4).
/// Source  C. Schmid, 2001; M. Varma, A. Zisserman, 2005. Deviation: the sign, turned so that a dark dot
///         answers with a positive number.
#include <cmath>
#include <numbers>

#include "filters/taps/banks.h"
#include "filters/taps/parameters.h"
#include "filters/taps/tap_grid.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  constexpr struct {
    int sigma;
    int tau;
  } pairs[] = {{2, 1}, {4, 1}, {4, 2},  {6, 1},  {6, 2},  {6, 3}, {8, 1},
               {8, 2}, {8, 3}, {10, 1}, {10, 2}, {10, 3}, {10, 4}};
  const int size = arguments.integer("size");
  const TapGrid ones(size, size, [](double, double) { return 1.0; });
  std::vector<Filter> filters;
  for (const auto& [sigma, tau] : pairs) {
    TapGrid taps(size, size, [s = sigma, t = tau](double x, double y) {
      const double r = std::hypot(x, y);
      return -std::cos(std::numbers::pi * t * r / s) * std::exp(-r * r / (2.0 * s * s));
    });
    taps.add(-taps.sum() / ones.sum(), ones);
    taps *= 1 / taps.magnitude();
    filters.push_back(taps.toFilter("sigma" + std::to_string(sigma) + "-tau" + std::to_string(tau)));
    filters.back().scale = sigma;
  }
  return filters;
}

}  // namespace

CatalogEntry schmidBank() {
  return {.name = "schmid",
          .family = "texture",
          .title = "Schmid's 13 round Gabor-like filters",
          .citation =
              "C. Schmid. Constructing models for content-based image retrieval. IEEE Conference on Computer "
              "Vision and Pattern Recognition 2:39-45, 2001; taps as M. Varma, A. Zisserman, International "
              "Journal of Computer Vision 62:61-81, 2005",
          .parameters = {sideParameter("49", ParameterKind::OddInteger, 3)},
          .generate = generate};
}

}  // namespace bankside
