/// Soares' Gabor wavelets, as two real filters: their magnitude is the root of the sum of both squared.
///   E(u, v) = exp(-(u^2 + v^2 / elongation) / (2 a^2))
///   even = -E (cos(k u / a) - c), c such that taps add up to 0      odd = E sin(k u / a)      both over
///   a^(3/2)
/// The odd part answers edges too: the recipe `morlet` takes the magnitude, as was published.
/// Source  J. V. B. Soares, J. J. G. Leandro, R. M. Cesar Jr., H. F. Jelinek, M. J. Cree, 2006: k = 3,
///         elongation 4, a = 2, 3, 4, 5. Deviations: the even part adds up to 0 on the grid, its sign.
#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "filters/taps/banks.h"
#include "filters/taps/orientation.h"
#include "filters/taps/parameters.h"

namespace bankside {
namespace {

struct Wavelet {
  double a;
  double elongation;
  double k;
  double envelope(double u, double v) const {
    return std::exp(-(u * u + v * v / elongation) / (2 * a * a)) / (a * std::sqrt(a));
  }
};

TapGrid evenTaps(const Wavelet& w, int radius, const Direction& direction) {
  const TapGrid envelope =
      orientedGrid(radius, direction, [&](double u, double v) { return w.envelope(u, v); });
  TapGrid taps = orientedGrid(
      radius, direction, [&](double u, double v) { return -w.envelope(u, v) * std::cos(w.k * u / w.a); });
  return taps.add(-taps.sum() / envelope.sum(), envelope);
}

TapGrid oddTaps(const Wavelet& w, int radius, const Direction& direction) {
  return orientedGrid(radius, direction,
                      [&](double u, double v) { return w.envelope(u, v) * std::sin(w.k * u / w.a); });
}

std::vector<Filter> generate(const BankArguments& arguments) {
  const std::string& parts = arguments.text("parts");
  const std::vector<double> scales = arguments.numbers("scale");
  const double widest = *std::max_element(scales.begin(), scales.end());
  const double elongation = arguments.number("elongation");
  const int radius = oddSideFor(3 * widest * std::max(1.0, std::sqrt(elongation))) / 2;
  std::vector<Filter> filters;
  for (const bool even : {true, false}) {
    if (parts == (even ? "odd" : "even")) continue;
    for (const double a : scales) {
      const Wavelet wavelet{a, elongation, arguments.number("k")};
      for (const Direction& direction : halfTurn(arguments.integer("orientations"))) {
        const TapGrid taps =
            even ? evenTaps(wavelet, radius, direction) : oddTaps(wavelet, radius, direction);
        filters.push_back(taps.toFilter((parts == "both" ? even ? "even-" : "odd-" : "") +
                                        ("scale" + formatNumber(a)) + "-" +
                                        orientationLabel(direction.degrees)));
        filters.back().orientation = direction.degrees;
        filters.back().scale = a;
      }
    }
  }
  return filters;
}

}  // namespace

CatalogEntry vesselMorletBank() {
  return {.name = "vessel-morlet",
          .family = "vessel",
          .title = "Gabor wavelets, even and odd, whose magnitude Soares took",
          .citation =
              "J. V. B. Soares, J. J. G. Leandro, R. M. Cesar Jr., H. F. Jelinek, M. J. Cree. Retinal vessel "
              "segmentation using the 2-D Gabor wavelet and supervised classification. IEEE Transactions on "
              "Medical Imaging 25(9):1214-1222, 2006",
          .parameters = {{.name = "scale",
                          .description = "dilations a in pixels",
                          .defaultValue = "2/3/4/5",
                          .kind = ParameterKind::NumberList,
                          .min = 0.5,
                          .max = 15},
                         {.name = "elongation",
                          .description = "the envelope's variance along over that across",
                          .defaultValue = "4",
                          .min = 1,
                          .max = 16},
                         {.name = "k",
                          .description = "the wave's angular frequency, times a",
                          .defaultValue = "3",
                          .min = 1,
                          .max = 8},
                         {.name = "parts",
                          .description = "which of the two",
                          .defaultValue = "both",
                          .kind = ParameterKind::Choice,
                          .choices = {"both", "even", "odd"}},
                         orientationsParameter("18")},
          .recipe = "morlet",
          .generate = generate};
}

}  // namespace bankside
