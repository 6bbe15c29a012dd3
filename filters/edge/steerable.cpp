/// Derivatives of a Gaussian of some order in just enough directions that every other direction is a weighted
/// sum of them.
///   t along the direction, r from the middle:  taps = He_n(t / sigma) g(r),
///   He_1 = t, He_2 = t^2 - 1, He_3 = t^3 - 3 t, He_4 = t^4 - 6 t^2 + 3 (Hermite's), g the Gaussian that adds
///   up to 1 over the window; of even orders as much of g is taken away that taps add up to 0
/// Correlation with them is sigma^n times the n-th derivative along the direction. n + 1 directions that
/// divide half a turn evenly are a basis; the weight of direction j at angle a is
///   k_j(a) = (1 / (n + 1)) sum over m = n, n - 2, ... >= 0 of (m > 0 ? 2 : 1) cos(m (a - a_j))
/// Source  W. T. Freeman, E. H. Adelson, 1991. Deviations: g is normalised over the window, factors are
/// sigma's.
#include "filters/taps/banks.h"
#include "filters/taps/orientation.h"

namespace bankside {
namespace {

double hermite(int order, double t) {
  double before = 1;
  double value = t;
  for (int n = 1; n < order; ++n) {
    const double next = t * value - n * before;
    before = value;
    value = next;
  }
  return value;
}

std::vector<Filter> generate(const BankArguments& arguments) {
  const double sigma = arguments.number("sigma");
  const int order = arguments.integer("order");
  const int size = oddSideFor(4 * sigma);
  const TapGrid gaussian = gaussianGrid(size, sigma);
  std::vector<Filter> filters;
  const int count = arguments.integerOr("orientations", order + 1);
  for (int i = 0; i < count; ++i) {
    const Direction direction(arguments.number("first") + 180.0 * i / count);
    TapGrid taps = orientedGrid(size / 2, direction,
                                [&](double, double along) { return hermite(order, along / sigma); });
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) taps.at(y, x) *= gaussian.at(y, x);
    }
    if (order % 2 == 0) taps.add(-taps.sum(), gaussian);
    filters.push_back(taps.toFilter(orientationLabel(direction.degrees)));
    filters.back().orientation = direction.degrees;
    filters.back().scale = sigma;
  }
  return filters;
}

}  // namespace

CatalogEntry steerableBank() {
  return {.name = "steerable",
          .family = "edge",
          .title = "Derivatives of a Gaussian, from which every direction can be steered",
          .citation =
              "W. T. Freeman, E. H. Adelson. The design and use of steerable filters. IEEE Transactions on "
              "Pattern Analysis and Machine Intelligence 13(9):891-906, 1991",
          .parameters = {{.name = "order",
                          .description = "of the derivative: 1 edges, 2 bars",
                          .defaultValue = "2",
                          .kind = ParameterKind::Integer,
                          .min = 1,
                          .max = 4},
                         {.name = "sigma",
                          .description = "standard deviation of the Gaussian in pixels",
                          .defaultValue = "2",
                          .min = 0.5,
                          .max = 15},
                         {.name = "orientations",
                          .description = "directions, evenly over half a turn; auto is order + 1, "
                                         "a basis",
                          .defaultValue = "auto",
                          .kind = ParameterKind::Integer,
                          .min = 1,
                          .max = 360,
                          .takesAuto = true},
                         {.name = "first",
                          .description = "the first of them in degrees",
                          .defaultValue = "0",
                          .min = 0,
                          .max = 180}},
          .recipe = "ilastik",
          .generate = generate};
}

}  // namespace bankside
