/// The line detector: the mean of a square, less the mean of a line through its middle, at several lengths.
///   taps = 1 / window^2 on the square - 1 / length on the line, whose pixels are those of a line one pixel
///   wide: one in every column where it is flatter than 45 degrees, else one in every row
/// Positive on a dark line. A filter's scale is its length: standardise the largest answer over the
/// directions at each length, then take the mean (recipe `line-detector`). Source  U. T. V. Nguyen, A.
/// Bhuiyan, L. A. F. Park, K. Ramamohanarao, 2013. Deviation: the sign, so that the
///         image need not be inverted.
#include <cmath>

#include "core/error.h"
#include "core/text.h"
#include "filters/taps/banks.h"
#include "filters/taps/orientation.h"
#include "filters/taps/parameters.h"

namespace bankside {
namespace {

Filter lineFilter(int window, int length, const Direction& direction) {
  TapGrid taps(window, window, [&](double, double) { return 1.0 / (window * window); });
  const bool flat = std::fabs(direction.cosine) >= std::fabs(direction.sine);
  const double slope = flat ? direction.sine / direction.cosine : direction.cosine / direction.sine;
  for (int k = -(length / 2); k <= length / 2; ++k) {
    const int beside = static_cast<int>(std::round(k * slope));
    taps.at(window / 2 + (flat ? beside : k), window / 2 + (flat ? k : beside)) -= 1.0 / length;
  }
  Filter filter =
      taps.toFilter("length" + std::to_string(length) + "-" + orientationLabel(direction.degrees));
  filter.orientation = direction.degrees;
  filter.scale = length;
  return filter;
}

std::vector<Filter> generate(const BankArguments& arguments) {
  const int window = arguments.integer("window");
  std::vector<Filter> filters;
  for (const double given : arguments.numbers("length")) {
    const int length = static_cast<int>(given);
    if (given != length || length % 2 == 0 || length > window)
      throw Error(ErrorCode::BadInput, "the bank vessel-line takes odd whole lengths up to its window of " +
                                           std::to_string(window) + ", not " + formatNumber(given));
    for (const Direction& direction : halfTurn(arguments.integer("orientations")))
      filters.push_back(lineFilter(window, length, direction));
  }
  return filters;
}

}  // namespace

CatalogEntry vesselLineBank() {
  return {
      .name = "vessel-line",
      .family = "vessel",
      .title = "Line detector: the mean of a square less that of a line, at several lengths",
      .citation =
          "U. T. V. Nguyen, A. Bhuiyan, L. A. F. Park, K. Ramamohanarao. An effective retinal blood vessel "
          "segmentation method using multi-scale line detection. Pattern Recognition 46(3):703-715, 2013",
      .parameters = {{.name = "window",
                      .description = "side of the square in pixels, about twice a wide vessel",
                      .defaultValue = "15",
                      .kind = ParameterKind::OddInteger,
                      .min = 3,
                      .max = maxFilterSide},
                     {.name = "length",
                      .description = "lengths of the line in pixels, odd, up to the window",
                      .defaultValue = "1/3/5/7/9/11/13/15",
                      .kind = ParameterKind::NumberList,
                      .min = 1,
                      .max = maxFilterSide},
                     orientationsParameter("12")},
      .recipe = "line-detector",
      .generate = generate};
}

}  // namespace bankside
