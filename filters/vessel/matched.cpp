/// Chaudhuri's matched filter: a dark bar with a Gaussian cross-section, zero mean over its support.
///   N = {|u| <= 3 sigma, |v| <= length / 2}
///   K(u, v) = -exp(-u^2 / (2 sigma^2)) on N, 0 elsewhere      taps = K - mean of K over N, on N
/// The square is the smallest that holds N in every direction: 15 x 15 for the defaults, about half of it 0.
/// Source  S. Chaudhuri, S. Chatterjee, N. Katz, M. Nelson, M. Goldbaum, "Detection of blood vessels in
///         retinal images using two-dimensional matched filters", IEEE Trans. Medical Imaging 8(3), 1989.
///         Deviations: taps are multiplied by 10 and rounded to whole numbers as the paper does only where
///         `integers` says so, and keep their zero mean then; the window is square (the paper's is 16 x 15).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "filters/taps/banks.h"
#include "filters/taps/orientation.h"
#include "filters/taps/parameters.h"
#include "filters/vessel/bar_support.h"

namespace bankside {
namespace {

/// Taps that add up to zero become the nearest whole numbers, but for as many as it takes to add up to zero
/// again: those that rounding moved furthest, in pairs across the middle, so that the filter stays symmetric.
void roundToZeroSum(TapGrid& taps) {
  const int places = taps.height() * taps.width();
  const int middle = places / 2;
  const auto at = [&](int i) -> double& { return taps.at(i / taps.width(), i % taps.width()); };
  std::vector<double> moved;
  for (int i = 0; i < places; ++i) {
    const double whole = std::round(at(i));
    moved.push_back(whole - at(i));
    at(i) = whole;
  }
  const auto movedBy = [&](int i) { return moved[static_cast<std::size_t>(i)]; };
  if (std::fmod(taps.sum(), 2) != 0) at(middle) += movedBy(middle) > 0 ? -1 : 1;
  const double off = taps.sum();
  const int back = off > 0 ? -1 : 1;
  std::vector<int> pairs(static_cast<std::size_t>(middle));
  std::iota(pairs.begin(), pairs.end(), 0);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](int a, int b) { return back * movedBy(a) < back * movedBy(b); });
  pairs.resize(static_cast<std::size_t>(std::fabs(off) / 2));
  for (const int i : pairs) {
    at(i) += back;
    at(places - 1 - i) += back;
  }
}

/// `integers`: what taps are multiplied by before they are rounded to whole numbers; 0 leaves them.
Filter matchedFilter(double sigma, double length, double integers, const Direction& direction) {
  const BarSupport bar{sigma, length};
  const TapGrid support = orientedGrid(bar.radius(), direction,
                                       [&](double u, double v) { return bar.contains(u, v) ? 1.0 : 0.0; });
  TapGrid taps = orientedGrid(bar.radius(), direction, [&](double u, double v) {
    return bar.contains(u, v) ? -std::exp(-u * u / (2 * sigma * sigma)) : 0.0;
  });
  taps.add(-taps.sum() / support.sum(), support);
  if (integers > 0) roundToZeroSum(taps *= integers);
  Filter filter = taps.toFilter(orientationLabel(direction.degrees));
  filter.orientation = direction.degrees;
  filter.scale = sigma;
  return filter;
}

std::vector<Filter> generate(const BankArguments& arguments) {
  std::vector<Filter> filters;
  for (const Direction& direction : halfTurn(arguments.integer("orientations"))) {
    filters.push_back(matchedFilter(arguments.number("sigma"), arguments.number("length"),
                                    arguments.number("integers"), direction));
  }
  return filters;
}

}  // namespace

CatalogEntry vesselMatchedBank() {
  return {.name = "vessel-matched",
          .family = "vessel",
          .title = "Matched filters for vessels: Gaussian cross-section, zero mean over the support",
          .citation =
              "S. Chaudhuri, S. Chatterjee, N. Katz, M. Nelson, M. Goldbaum. Detection of blood vessels "
              "in retinal images using two-dimensional matched filters. IEEE Transactions on Medical "
              "Imaging 8(3):263-269, 1989",
          .parameters = {crossSectionParameter("2"),
                         barLengthParameter(),
                         orientationsParameter("12"),
                         {.name = "integers",
                          .description =
                              "taps are multiplied by this and rounded to whole numbers, 10 in the paper "
                              "(so are responses to u8 images then, and faster on tensor cores); "
                              "0: left as they are",
                          .defaultValue = "0",
                          .min = 0,
                          .max = 1000}},
          .recipe = "matched-long",
          .generate = generate};
}

}  // namespace bankside
