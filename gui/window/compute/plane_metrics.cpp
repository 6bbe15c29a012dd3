#include "gui/window/compute/plane_metrics.h"

#include <array>
#include <cmath>

#include "core/engine.h"
#include "core/error.h"

namespace bankside::window {
namespace {

constexpr int reach = 5;
constexpr int windowSide = 2 * reach + 1;
constexpr double spread = 1.5;

struct Sides {
  const Plane& a;
  const Plane& b;
  const Image* mask;

  bool inside(int x, int y) const { return mask == nullptr || mask->view<std::uint8_t>(0).at(x, y) != 0; }
};

/// A row of a plane that is held whole.
std::vector<float> rowOf(const Plane& plane, int y) {
  std::vector<float> values(static_cast<std::size_t>(plane.width()));
  visit(plane.type(), [&](auto element) {
    const auto* row = plane.image->view<decltype(element)>(plane.channel).row(y);
    for (std::size_t x = 0; x < values.size(); ++x) values[x] = asFloat(row[x]);
  });
  return values;
}

/// What a window sums: both planes, their squares, and their product.
using Moments = std::array<double, 5>;

std::array<double, windowSide> window() {
  std::array<double, windowSide> weights{};
  double sum = 0;
  for (int i = 0; i < windowSide; ++i) {
    const double at = (i - reach) / spread;
    sum += weights[static_cast<std::size_t>(i)] = std::exp(-0.5 * at * at);
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// The moments of a row, summed along it; from column `reach` to `reach` before the end.
void sumAlong(const Sides& sides, int y, const std::array<double, windowSide>& weights,
              std::vector<Moments>& into) {
  const int width = sides.a.width();
  std::vector<Moments> row(static_cast<std::size_t>(width));
  const std::vector<float> rowOfA = rowOf(sides.a, y);
  const std::vector<float> rowOfB = rowOf(sides.b, y);
  for (std::size_t x = 0; x < row.size(); ++x) {
    const double a = rowOfA[x];
    const double b = rowOfB[x];
    row[x] = {a, b, a * a, b * b, a * b};
  }
  for (int x = reach; x + reach < width; ++x) {
    Moments sum{};
    for (int i = 0; i < windowSide; ++i) {
      const Moments& one = row[static_cast<std::size_t>(x - reach + i)];
      for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += weights[static_cast<std::size_t>(i)] * one[m];
    }
    into[static_cast<std::size_t>(x)] = sum;
  }
}

double similarity(const Moments& m, double peak) {
  const double c1 = 0.01 * peak * 0.01 * peak;
  const double c2 = 0.03 * peak * 0.03 * peak;
  const double varianceA = m[2] - m[0] * m[0];
  const double varianceB = m[3] - m[1] * m[1];
  const double covariance = m[4] - m[0] * m[1];
  return (2 * m[0] * m[1] + c1) * (2 * covariance + c2) /
         ((m[0] * m[0] + m[1] * m[1] + c1) * (varianceA + varianceB + c2));
}

std::optional<double> meanSimilarity(const Sides& sides, double peak, const std::stop_token& stop) {
  const int width = sides.a.width();
  const int height = sides.a.height();
  if (width < windowSide || height < windowSide || peak == 0) return std::nullopt;
  const auto weights = window();
  // As many rows of sums along as a window is high, in turn.
  std::array<std::vector<Moments>, windowSide> rows;
  for (auto& row : rows) row.resize(static_cast<std::size_t>(width));
  double sum = 0;
  std::int64_t count = 0;
  for (int y = 0; y < height; ++y) {
    if (stop.stop_requested()) throw Cancelled();
    sumAlong(sides, y, weights, rows[static_cast<std::size_t>(y % windowSide)]);
    const int middle = y - reach;
    if (y + 1 < windowSide) continue;
    for (int x = reach; x + reach < width; ++x) {
      if (!sides.inside(x, middle)) continue;
      Moments all{};
      for (int i = 0; i < windowSide; ++i) {
        const Moments& row =
            rows[static_cast<std::size_t>((middle - reach + i) % windowSide)][static_cast<std::size_t>(x)];
        for (std::size_t m = 0; m < all.size(); ++m) all[m] += weights[static_cast<std::size_t>(i)] * row[m];
      }
      const double value = similarity(all, peak);
      if (!std::isfinite(value)) continue;
      sum += value;
      ++count;
    }
  }
  return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

}  // namespace

PlaneMetrics comparePlanes(const Plane& a, const Plane& b, const Image* mask, std::stop_token stop) {
  if (a.width() != b.width() || a.height() != b.height())
    throw Error(ErrorCode::BadInput, "the two are of different sizes");
  if (mask != nullptr && (mask->width() != a.width() || mask->height() != a.height()))
    throw Error(ErrorCode::BadInput, "the region is of another image");
  const Sides sides{a, b, mask};
  PlaneMetrics result;
  float low = INFINITY;
  float high = -INFINITY;
  double squares = 0;
  double squaresOfA = 0;
  for (int y = 0; y < a.height(); ++y) {
    if (stop.stop_requested()) throw Cancelled();
    const std::vector<float> rowOfA = rowOf(a, y);
    const std::vector<float> rowOfB = rowOf(b, y);
    for (int x = 0; x < a.width(); ++x) {
      if (!sides.inside(x, y)) continue;
      const float va = rowOfA[static_cast<std::size_t>(x)];
      const float vb = rowOfB[static_cast<std::size_t>(x)];
      if (!std::isfinite(va) || !std::isfinite(vb)) continue;
      const double difference = static_cast<double>(va) - vb;
      ++result.pixels;
      if (va == vb) ++result.equal;
      squares += difference * difference;
      squaresOfA += static_cast<double>(va) * va;
      low = std::min(low, va);
      high = std::max(high, va);
      if (std::fabs(difference) <= result.largest) continue;
      result.largest = static_cast<float>(std::fabs(difference));
      result.x = x;
      result.y = y;
    }
  }
  if (result.pixels == 0) throw Error(ErrorCode::BadInput, "no pixel has a finite value in both");
  const auto pixels = static_cast<double>(result.pixels);
  result.rootMeanSquare = std::sqrt(squares / pixels);
  if (squaresOfA > 0) result.share = std::sqrt(squares / squaresOfA);
  result.peak = a.type() == ElementType::U8 ? 255.0 : static_cast<double>(high) - low;
  if (result.rootMeanSquare > 0 && result.peak > 0)
    result.psnr = 20 * std::log10(result.peak / result.rootMeanSquare);
  result.ssim = meanSimilarity(sides, result.peak, stop);
  return result;
}

}  // namespace bankside::window
