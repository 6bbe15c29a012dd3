/// Single taps along a line, one channel for each distance from the middle: what B-COSFIRE filters add up.
///   channel i, direction theta: taps at round(+-rho_i (cos theta, sin theta)), or on the one side alone
/// All taps of a filter are equal and add up to 1, so that over the logarithms of blurred responses the
/// filter gives the logarithm of their geometric mean along the line. Its channels are the maps of one blur a
/// distance, since the further away a point is the more it may lie off the line.
/// Source  G. Azzopardi, N. Strisciuglio, M. Vento, N. Petkov, 2015, equations 4 to 7. Deviations: the taps
///         stand still and the window moves, where the paper shifts maps.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "filters/taps/banks.h"
#include "filters/taps/orientation.h"
#include "filters/taps/parameters.h"

namespace bankside {
namespace {

Filter lineFilter(const std::vector<double>& distances, bool bothSides, const Direction& direction,
                  int radius) {
  const int side = 2 * radius + 1;
  Filter filter;
  filter.channels = static_cast<int>(distances.size());
  filter.height = filter.width = side;
  filter.anchorX = filter.anchorY = radius;
  filter.taps.assign(distances.size() * static_cast<std::size_t>(side) * static_cast<std::size_t>(side),
                     0.0f);
  int points = 0;
  for (const double distance : distances) points += distance == 0 || !bothSides ? 1 : 2;
  const float tap = 1.0f / static_cast<float>(points);
  for (std::size_t c = 0; c < distances.size(); ++c) {
    for (const int sign : {1, -1}) {
      if (sign < 0 && (!bothSides || distances[c] == 0)) continue;
      const int x = radius + static_cast<int>(std::round(sign * distances[c] * direction.cosine));
      const int y = radius + static_cast<int>(std::round(sign * distances[c] * direction.sine));
      filter.taps[(c * static_cast<std::size_t>(side) + static_cast<std::size_t>(y)) *
                      static_cast<std::size_t>(side) +
                  static_cast<std::size_t>(x)] += tap;
    }
  }
  filter.label = orientationLabel(direction.degrees);
  filter.orientation = direction.degrees;
  return filter;
}

std::vector<Filter> generate(const BankArguments& arguments) {
  const std::vector<double> distances = arguments.numbers("rho");
  const bool bothSides = arguments.text("sides") == "both";
  const int count = arguments.integer("orientations");
  const double farthest = *std::max_element(distances.begin(), distances.end());
  const int radius = static_cast<int>(std::round(farthest));
  std::vector<Filter> filters;
  for (int i = 0; i < count; ++i) {
    const double turn = bothSides ? 180.0 : 360.0;
    filters.push_back(lineFilter(distances, bothSides, Direction(i * turn / count), radius));
  }
  return filters;
}

}  // namespace

CatalogEntry vesselCollinearBank() {
  return {
      .name = "vessel-collinear",
      .family = "vessel",
      .title = "Single taps along a line, a channel for each distance: for geometric means of blurred maps",
      .citation =
          "G. Azzopardi, N. Strisciuglio, M. Vento, N. Petkov. Trainable COSFIRE filters for vessel "
          "delineation with application to retinal images. Medical Image Analysis 19(1):46-57, 2015",
      .parameters = {{.name = "rho",
                      .description = "distances from the middle in pixels, one channel each",
                      .defaultValue = "0/2/4/6/8",
                      .kind = ParameterKind::NumberList,
                      .min = 0,
                      .max = 63},
                     {.name = "sides",
                      .description = "both sides of the middle, or one, for the ends of vessels",
                      .defaultValue = "both",
                      .kind = ParameterKind::Choice,
                      .choices = {"both", "one"}},
                     orientationsParameter("12")},
      .recipe = "b-cosfire",
      .generate = generate};
}

}  // namespace bankside
