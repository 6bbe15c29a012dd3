/// Chaudhuri's matched filter: a dark bar with a Gaussian cross-section, zero mean over its support.
///   N = {|u| <= 3 sigma, |v| <= length / 2}
///   K(u, v) = -exp(-u^2 / (2 sigma^2)) on N, 0 elsewhere      taps = K - mean of K over N, on N
/// The square is the smallest that holds N in every direction: 15 x 15 for the defaults, about half of it 0.
/// Source  S. Chaudhuri, S. Chatterjee, N. Katz, M. Nelson, M. Goldbaum, "Detection of blood vessels in
///         retinal images using two-dimensional matched filters", IEEE Trans. Medical Imaging 8(3), 1989.
///         Deviations: taps are not multiplied by 10 and rounded to whole numbers as the paper does, and the
///         window is square (the paper's is 16 x 15).
#include <cmath>

#include "filters/orientation.h"
#include "filters/vessel/bar_support.h"
#include "filters/vessel/vessel_banks.h"

namespace bankside {
namespace {

Filter matchedFilter(double sigma, double length, const Direction& direction) {
  const BarSupport bar{sigma, length};
  const TapGrid support = orientedGrid(bar.radius(), direction,
                                       [&](double u, double v) { return bar.contains(u, v) ? 1.0 : 0.0; });
  TapGrid taps = orientedGrid(bar.radius(), direction, [&](double u, double v) {
    return bar.contains(u, v) ? -std::exp(-u * u / (2 * sigma * sigma)) : 0.0;
  });
  taps.add(-taps.sum() / support.sum(), support);
  Filter filter = taps.toFilter(orientationLabel(direction.degrees));
  filter.orientation = direction.degrees;
  filter.scale = sigma;
  return filter;
}

std::vector<Filter> generate(const BankArguments& arguments) {
  std::vector<Filter> filters;
  for (const Direction& direction : halfTurn(arguments.integer("orientations"))) {
    filters.push_back(matchedFilter(arguments.number("sigma"), arguments.number("length"), direction));
  }
  return filters;
}

}  // namespace

BankParameter orientationsParameter(const std::string& defaultValue) {
  return {.name = "orientations",
          .description = "directions, evenly over half a turn from 0 degrees",
          .defaultValue = defaultValue,
          .kind = ParameterKind::Integer,
          .min = 1,
          .max = 360};
}

CatalogEntry vesselMatchedBank() {
  return {.name = "vessel-matched",
          .family = "vessel",
          .title = "Matched filters for vessels: Gaussian cross-section, zero mean over the support",
          .citation =
              "S. Chaudhuri, S. Chatterjee, N. Katz, M. Nelson, M. Goldbaum. Detection of blood vessels "
              "in retinal images using two-dimensional matched filters. IEEE Transactions on Medical "
              "Imaging 8(3):263-269, 1989",
          .parameters = {{.name = "sigma",
                          .description = "standard deviation of the cross-section in pixels",
                          .defaultValue = "2",
                          .min = 0.3,
                          .max = 20},
                         {.name = "length",
                          .description = "length of the bar in pixels",
                          .defaultValue = "9",
                          .min = 1,
                          .max = 126},
                         orientationsParameter("12")},
          .generate = generate};
}

}  // namespace bankside
