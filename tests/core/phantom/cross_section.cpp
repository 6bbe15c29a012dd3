#include "tests/core/phantom/cross_section.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bankside::testing {
namespace {

constexpr int rimMargin = 24;
constexpr int centreReach = 4;

struct Offset {
  double along;
  double beside;
};

/// Where a point lies as seen from a cross-section.
Offset seenFrom(const CrossSection& at, double x, double y) {
  return {(x - at.x) * at.alongX + (y - at.y) * at.alongY, (y - at.y) * at.alongX - (x - at.x) * at.alongY};
}

double valueAt(const Image& map, const CrossSection& at, const Offset& offset) {
  return testing::valueAt(map, at.x + offset.along * at.alongX - offset.beside * at.alongY,
                          at.y + offset.along * at.alongY + offset.beside * at.alongX);
}

bool farFromTheRim(const Image& fieldOfView, const CrossSection& at) {
  const auto field = fieldOfView.view<std::uint8_t>(0);
  const int x = static_cast<int>(std::lround(at.x));
  const int y = static_cast<int>(std::lround(at.y));
  if (x < rimMargin || y < rimMargin || x + rimMargin >= field.width || y + rimMargin >= field.height) {
    return false;
  }
  for (const int dx : {-rimMargin, 0, rimMargin}) {
    for (const int dy : {-rimMargin, 0, rimMargin}) {
      if (field.at(x + dx, y + dy) == 0) return false;
    }
  }
  return true;
}

bool aloneAndStraight(const std::vector<VesselSegment>& segments, const CrossSection& at, double reach,
                      double bend) {
  double back = 0;
  double forward = 0;
  for (const VesselSegment& s : segments) {
    const double near = reach + std::max(s.radius0, s.radius1);
    if (std::min(std::abs(s.x0 - at.x), std::abs(s.x1 - at.x)) > near) continue;
    const Offset begin = seenFrom(at, s.x0, s.y0);
    const Offset end = seenFrom(at, s.x1, s.y1);
    if (std::min(std::hypot(begin.along, begin.beside), std::hypot(end.along, end.beside)) > near) continue;
    if (std::max(std::abs(begin.beside), std::abs(end.beside)) > bend) return false;
    back = std::min({back, begin.along, end.along});
    forward = std::max({forward, begin.along, end.along});
  }
  return back <= -reach && forward >= reach;
}

/// A cubic through b at 0 and c at 1.
double catmullRom(const std::array<double, 4>& v, double t) {
  const auto [a, b, c, d] = v;
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/// From the deepest sample on, how many samples away the profile is first no deeper than `half`.
double samplesToHalf(const std::vector<double>& depths, int deepest, int step, double half) {
  const int last = static_cast<int>(depths.size()) - 1;
  int i = deepest;
  while (i > 0 && i < last && depths[static_cast<std::size_t>(i)] > half) i += step;
  const double outer = depths[static_cast<std::size_t>(i)];
  const double inner = depths[static_cast<std::size_t>(i - step)];
  return std::abs(i - deepest) - (inner > outer ? std::clamp((half - outer) / (inner - outer), 0.0, 1.0) : 0);
}

}  // namespace

std::vector<CrossSection> crossSections(const Phantom& phantom, double reach, double bend) {
  std::vector<CrossSection> found;
  for (const VesselSegment& s : phantom.segments) {
    const double length = std::hypot(s.x1 - s.x0, s.y1 - s.y0);
    if (length == 0) continue;
    const CrossSection at = {0.5 * (s.x0 + s.x1), 0.5 * (s.y0 + s.y1), (s.x1 - s.x0) / length,
                             (s.y1 - s.y0) / length, s.radius0 + s.radius1};
    if (farFromTheRim(phantom.fieldOfView, at) && aloneAndStraight(phantom.segments, at, reach, bend)) {
      found.push_back(at);
    }
  }
  return found;
}

double valueAt(const Image& map, double x, double y) {
  const auto view = map.view<float>(0);
  const int left = static_cast<int>(std::floor(x));
  const int top = static_cast<int>(std::floor(y));
  std::array<double, 4> rows{};
  for (int j = 0; j < 4; ++j) {
    std::array<double, 4> row{};
    for (int i = 0; i < 4; ++i) {
      row[static_cast<std::size_t>(i)] = static_cast<double>(
          view.at(std::clamp(left - 1 + i, 0, view.width - 1), std::clamp(top - 1 + j, 0, view.height - 1)));
    }
    rows[static_cast<std::size_t>(j)] = catmullRom(row, x - left);
  }
  return catmullRom(rows, y - top);
}

std::optional<double> centreBeside(const Image& map, const CrossSection& at, double phase) {
  std::array<double, 2 * centreReach + 1> profile{};
  for (int i = -centreReach; i <= centreReach; ++i) {
    profile[static_cast<std::size_t>(i + centreReach)] = valueAt(map, at, {0, i + phase});
  }
  const auto top = std::max_element(profile.begin(), profile.end());
  if (top == profile.begin() || top == profile.end() - 1) return std::nullopt;
  const double curvature = top[-1] - 2 * top[0] + top[1];
  const double shift = curvature < 0 ? 0.5 * (top[-1] - top[1]) / curvature : 0;
  return static_cast<double>(top - profile.begin()) - centreReach + phase + shift;
}

double widthAtHalfDepth(const Image& map, const CrossSection& at, double beside) {
  constexpr int perPixel = 4;
  constexpr int reach = 8 * perPixel;
  constexpr int end = 2 * perPixel;   // samples at either end that are background
  constexpr int most = 2 * perPixel;  // how far from the found centre the deepest sample may lie
  std::vector<double> depths;
  for (int i = -reach; i <= reach; ++i) {
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
      sum += valueAt(map, at, {static_cast<double>(k), beside + static_cast<double>(i) / perPixel});
    }
    depths.push_back(-sum / 9);
  }
  double left = 0;
  double right = 0;
  for (int i = 0; i < end; ++i) {
    left += depths[static_cast<std::size_t>(i)] / end;
    right += depths[static_cast<std::size_t>(2 * reach - i)] / end;
  }
  const double first = 0.5 * (end - 1);
  for (std::size_t i = 0; i < depths.size(); ++i) {
    depths[i] -= left + (right - left) * (static_cast<double>(i) - first) / (2 * reach - 2 * first);
  }
  const auto deepest = std::max_element(depths.begin() + reach - most, depths.begin() + reach + most + 1);
  const int middle = static_cast<int>(deepest - depths.begin());
  const double half = 0.5 * *deepest;
  return (samplesToHalf(depths, middle, -1, half) + samplesToHalf(depths, middle, 1, half)) / perPixel;
}

}  // namespace bankside::testing
