#include "filters/taps/orientation.h"

#include <cmath>
#include <numbers>

#include "core/text.h"

namespace bankside {
namespace {

/// Sine of 0..90 degrees, computed below 45 degrees only.
double firstQuadrantSine(double degrees) {
  const double radians = std::numbers::pi / 180.0;
  return degrees <= 45.0 ? std::sin(degrees * radians) : std::cos((90.0 - degrees) * radians);
}

}  // namespace

Direction::Direction(double angle) : degrees(angle) {
  double rest = std::fmod(angle, 360.0);
  if (rest < 0) rest += 360.0;
  const int quadrant = static_cast<int>(rest / 90.0) % 4;
  rest -= 90.0 * quadrant;
  const double s = firstQuadrantSine(rest);
  const double c = firstQuadrantSine(90.0 - rest);
  sine = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
  cosine = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
}

std::vector<Direction> halfTurn(int count) {
  std::vector<Direction> directions;
  for (int i = 0; i < count; ++i) directions.emplace_back(180.0 * i / count);
  return directions;
}

std::string orientationLabel(double degrees) {
  const std::string text = formatFixed(degrees, degrees == std::floor(degrees) ? 0 : 2);
  const auto digits = text.find('.') == std::string::npos ? text.size() : text.find('.');
  return "theta" + std::string(digits < 3 ? 3 - digits : 0, '0') + text;
}

TapGrid orientedGrid(int radius, const Direction& d,
                     const std::function<double(double u, double v)>& formula) {
  const int side = 2 * radius + 1;
  return TapGrid(side, side, [&](double x, double y) {
    return formula(y * d.cosine - x * d.sine, x * d.cosine + y * d.sine);
  });
}

}  // namespace bankside
