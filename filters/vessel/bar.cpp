/// Second derivative of a Gaussian across a bar, at one or several widths, of equal noise gain.
///   K(u, v) = (u^2 / sigma^2 - 1) E,  E = exp(-u^2 / (2 sigma^2) - v^2 / (2 along^2))
///   taps = (K - c E) / ||K - c E||_2,  c such that they add up to 0
/// All widths share one square of radius ceil(3 max(1.3 sigma, along)) + 1, so that the bank is one problem.
/// Combine with max over the orientations of a width, then mean over the widths.
/// Source  the second derivative of T. Lindeberg, 1998, made longer along the bar. Deviations: its own
///         elongation, zero sum and unit norm on the grid instead of gamma-normalisation.
#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "filters/taps/banks.h"
#include "filters/taps/orientation.h"
#include "filters/taps/parameters.h"

namespace bankside {
namespace {

Filter barFilter(int radius, double sigma, double along, const Direction& direction) {
  const auto envelopeAt = [&](double u, double v) {
    return std::exp(-u * u / (2 * sigma * sigma) - v * v / (2 * along * along));
  };
  const TapGrid envelope = orientedGrid(radius, direction, envelopeAt);
  TapGrid taps = orientedGrid(radius, direction, [&](double u, double v) {
    return (u * u / (sigma * sigma) - 1) * envelopeAt(u, v);
  });
  taps.add(-taps.sum() / envelope.sum(), envelope);
  taps *= 1 / taps.norm();
  Filter filter = taps.toFilter(orientationLabel(direction.degrees));
  filter.orientation = direction.degrees;
  filter.scale = sigma;
  return filter;
}

std::vector<Filter> generate(const BankArguments& arguments) {
  const std::vector<double> sigmas = arguments.numbers("sigma");
  const double along = arguments.number("along");
  const double widest = *std::max_element(sigmas.begin(), sigmas.end());
  const int radius = oddSideFor(3 * std::max(1.3 * widest, along)) / 2 + 1;
  std::vector<Filter> filters;
  for (const double sigma : sigmas) {
    for (const Direction& direction : halfTurn(arguments.integer("orientations"))) {
      filters.push_back(barFilter(radius, sigma, along, direction));
      if (sigmas.size() > 1)
        filters.back().label = "sigma" + formatNumber(sigma) + "-" + filters.back().label;
    }
  }
  return filters;
}

}  // namespace

CatalogEntry vesselBarBank() {
  return {
      .name = "vessel-bar",
      .family = "vessel",
      .title = "Second derivative of a Gaussian across a bar, at one or several widths, unit norm",
      .citation =
          "T. Lindeberg. Edge detection and ridge detection with automatic scale selection. International "
          "Journal of Computer Vision 30(2), 1998; elongated and normalised as in "
          "filters/vessel/bar.cpp",
      .parameters = {{.name = "sigma",
                      .description = "standard deviations across the bar in pixels",
                      .defaultValue = "2",
                      .kind = ParameterKind::NumberList,
                      .min = 0.5,
                      .max = 15},
                     {.name = "along",
                      .description = "standard deviation along the bar in pixels",
                      .defaultValue = "9",
                      .min = 0.5,
                      .max = 20},
                     orientationsParameter("18")},
      .recipe = "vessels",
      .generate = generate};
}

}  // namespace bankside
