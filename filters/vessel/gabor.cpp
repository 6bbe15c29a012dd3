/// Even Gabor filters with their response to a flat field taken out.
///   sx = tau / (2 sqrt(2 ln 2))      sy = elongation * sx
///   E(u, v) = exp(-(u^2 / sx^2 + v^2 / sy^2) / 2)
///   taps = -E (cos(2 pi u / tau) - c),  c such that they add up to 0
/// The square reaches 3 standard deviations. The odd part is left out: it answers edges too.
/// Source  R. M. Rangayyan et al., 2008. Deviations: the direct part is taken out, the sign is turned so that
///         a dark vessel answers with a positive number, and no factor 1 / (2 pi sx sy).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "filters/taps/banks.h"
#include "filters/taps/orientation.h"
#include "filters/taps/parameters.h"

namespace bankside {
namespace {

std::vector<Filter> generate(const BankArguments& arguments) {
  const double tau = arguments.number("tau");
  const double sx = tau / (2 * std::sqrt(2 * std::numbers::ln2));
  const double sy = arguments.number("elongation") * sx;
  const int radius = oddSideFor(3 * std::max(sx, sy)) / 2;
  std::vector<Filter> filters;
  for (const Direction& direction : halfTurn(arguments.integer("orientations"))) {
    const auto envelopeAt = [&](double u, double v) {
      return std::exp(-0.5 * (u * u / (sx * sx) + v * v / (sy * sy)));
    };
    const TapGrid envelope = orientedGrid(radius, direction, envelopeAt);
    TapGrid taps = orientedGrid(radius, direction, [&](double u, double v) {
      return -envelopeAt(u, v) * std::cos(2 * std::numbers::pi * u / tau);
    });
    taps.add(-taps.sum() / envelope.sum(), envelope);
    filters.push_back(taps.toFilter(orientationLabel(direction.degrees)));
    filters.back().orientation = direction.degrees;
    filters.back().scale = sx;
  }
  return filters;
}

}  // namespace

CatalogEntry vesselGaborBank() {
  return {.name = "vessel-gabor",
          .family = "vessel",
          .title = "Even Gabor filters for vessels, zero mean",
          .citation =
              "R. M. Rangayyan, F. J. Ayres, F. Oloumi, F. Oloumi, P. Eshghzadeh-Zanjani. Detection of blood "
              "vessels in the retina with multiscale Gabor filters. Journal of Electronic Imaging "
              "17(2):023018, 2008",
          .parameters = {{.name = "tau",
                          .description =
                              "full width at half maximum of the envelope, and the wave's length, in pixels",
                          .defaultValue = "8",
                          .min = 1,
                          .max = 40},
                         {.name = "elongation",
                          .description = "how many times longer than wide the envelope is",
                          .defaultValue = "2.9",
                          .min = 0.5,
                          .max = 20},
                         orientationsParameter("18")},
          .recipe = "gabor",
          .generate = generate};
}

}  // namespace bankside
