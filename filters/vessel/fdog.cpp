/// First derivative of a Gaussian across a bar: answers the flanks of vessels, edges of both signs.
///   N = {|u| <= 3 sigma, |v| <= length / 2}
///   taps = -u / (sqrt(2 pi) sigma^3) exp(-u^2 / (2 sigma^2)) on N, 0 elsewhere
/// Positive where brightness falls along u. Odd, so that half a turn changes the sign: absmax is the largest
/// magnitude over a whole turn, high on both flanks. Zhang et al. divide the matched filter's answer (bank
/// `vessel-matched`) by what this one says of the neighbourhood, high beside an edge, low on a vessel: recipe
/// `mf-fdog`.
/// Source  B. Zhang, L. Zhang, L. Zhang, F. Karray, 2010. Deviations: none in the taps.
#include <cmath>
#include <numbers>

#include "filters/taps/banks.h"
#include "filters/taps/orientation.h"
#include "filters/taps/parameters.h"
#include "filters/vessel/bar_support.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  const double sigma = arguments.number("sigma");
  const BarSupport bar{sigma, arguments.number("length")};
  std::vector<Filter> filters;
  for (const Direction& direction : halfTurn(arguments.integer("orientations"))) {
    const TapGrid taps = orientedGrid(bar.radius(), direction, [&](double u, double v) {
      if (!bar.contains(u, v)) return 0.0;
      return -u / (std::sqrt(2 * std::numbers::pi) * sigma * sigma * sigma) *
             std::exp(-u * u / (2 * sigma * sigma));
    });
    filters.push_back(taps.toFilter(orientationLabel(direction.degrees)));
    filters.back().orientation = direction.degrees;
    filters.back().scale = sigma;
  }
  return filters;
}

}  // namespace

CatalogEntry vesselFdogBank() {
  return {.name = "vessel-fdog",
          .family = "vessel",
          .title = "First derivative of a Gaussian across a bar: the flanks of vessels (for recipe mf-fdog)",
          .citation =
              "B. Zhang, L. Zhang, L. Zhang, F. Karray. Retinal vessel extraction by matched filter with "
              "first-order derivative of Gaussian. Computers in Biology and Medicine 40(4):438-445, 2010",
          .parameters = {crossSectionParameter("1.5"), barLengthParameter(), orientationsParameter("8")},
          .recipe = "mf-fdog",
          .generate = generate};
}

}  // namespace bankside
