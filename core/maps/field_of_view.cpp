#include "core/maps/field_of_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/engine.h"
#include "core/error.h"
#include "core/maps/field_parts.h"

namespace bankside {
namespace {

/// A morphological opening by a disc: marks and letters beside the field go, what is as wide as the disc
/// stays.
void removeThinParts(PlaneView<std::uint8_t> mask, const ThreadTeam& team, const std::stop_token& stop) {
  const float radius = openingRadius(mask.width, mask.height);
  const PlaneView<const std::uint8_t> seen{mask.data, mask.width, mask.height, mask.stride};
  const auto width = static_cast<std::size_t>(mask.width);
  // Those for which the distance to the nearest pixel of that value passes the radius.
  const auto farFrom = [&](bool value, std::vector<char>& beyond) {
    const NearestInside nearest = nearestInside(seen, value, team, stop);
    bool any = false;
    for (std::size_t i = 0; i < beyond.size(); ++i) {
      beyond[i] = nearest.squaredDistance[i] > radius * radius ? 1 : 0;
      any = any || beyond[i] != 0;
    }
    return any;
  };
  bool outside = false;
  for (int y = 0; y < mask.height; ++y)
    outside = outside || std::find(mask.row(y), mask.row(y) + mask.width, 0) != mask.row(y) + mask.width;
  std::vector<char> pixels(width * static_cast<std::size_t>(mask.height));
  if (!outside || !farFrom(false, pixels)) return;
  const auto put = [&](char inside) {
    for (std::size_t i = 0; i < pixels.size(); ++i)
      mask.at(static_cast<int>(i % width), static_cast<int>(i / width)) = pixels[i] == inside ? 1 : 0;
  };
  put(1);
  farFrom(true, pixels);
  put(0);
}

/// Of the frame's four corners.
std::vector<float> cornersOf(const std::vector<float>& means, int width, int height) {
  const int side = cornerSide(width, height);
  std::vector<float> corners;
  for (int y = 0; y < height; ++y) {
    if (y >= side && y < height - side) continue;
    for (int x = 0; x < width; ++x) {
      if (x < side || x >= width - side)
        corners.push_back(means[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                static_cast<std::size_t>(x)]);
    }
  }
  return corners;
}

/// Means of (2 * radius + 1)^2 pixels, of those in the frame; what is not finite is 0.
std::vector<float> boxMeans(PlaneView<const float> plane, int radius, const ThreadTeam& team,
                            const std::stop_token& stop) {
  const auto width = static_cast<std::size_t>(plane.width);
  std::vector<float> rows(width * static_cast<std::size_t>(plane.height));
  std::vector<float> means(rows.size());
  const auto mean = [radius](int i, int count, const auto& get) {
    const int first = std::max(0, i - radius);
    const int last = std::min(count - 1, i + radius);
    float sum = 0;
    for (int k = first; k <= last; ++k) sum += get(k);
    return sum / static_cast<float>(last - first + 1);
  };
  team.forRanges(0, plane.height, 16, [&](int from, int to) {
    if (stop.stop_requested()) throw Cancelled();
    for (int y = from; y < to; ++y) {
      for (int x = 0; x < plane.width; ++x)
        rows[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] = mean(
            x, plane.width, [&](int k) { return std::isfinite(plane.at(k, y)) ? plane.at(k, y) : 0.0f; });
    }
  });
  team.forRanges(0, plane.height, 16, [&](int from, int to) {
    if (stop.stop_requested()) throw Cancelled();
    for (int y = from; y < to; ++y) {
      for (std::size_t x = 0; x < width; ++x)
        means[static_cast<std::size_t>(y) * width + x] =
            mean(y, plane.height, [&](int k) { return rows[static_cast<std::size_t>(k) * width + x]; });
    }
  });
  return means;
}

}  // namespace

FieldOfView::FieldOfView(Image mask) : mask_(std::move(mask)) {
  const auto view = mask_.view<std::uint8_t>(0);
  for (int y = 0; y < view.height; ++y) {
    if (std::any_of(view.row(y), view.row(y) + view.width, [](std::uint8_t m) { return m != 0; })) return;
  }
  throw Error(ErrorCode::BadInput, "the field of view is empty");
}

const Image& FieldOfView::at(int height, int width) {
  if (sized_.height() == height && sized_.width() == width) return sized_;
  sized_ = part(height, width, {0, 0, width, height});
  return sized_;
}

Image FieldOfView::part(int height, int width, const Region& area) const {
  Image some(1, area.height, area.width, ElementType::U8);
  const auto to = some.view<std::uint8_t>(0);
  const auto from = mask_.view<std::uint8_t>(0);
  std::vector<int> columns;
  for (int x = 0; x < area.width; ++x) columns.push_back(underMiddle(area.x + x, from.width, width));
  for (int y = 0; y < area.height; ++y) {
    const std::uint8_t* const row = from.row(underMiddle(area.y + y, from.height, height));
    for (int x = 0; x < area.width; ++x) to.at(x, y) = row[columns[static_cast<std::size_t>(x)]] != 0 ? 1 : 0;
  }
  return some;
}

Image findField(PlaneView<const float> plane, double level, const ThreadTeam& team,
                const std::stop_token& stop, int smoothing) {
  const std::vector<float> means = boxMeans(plane, smoothing, team, stop);
  std::vector<float> ordered = means;
  const float bright = orderedAt(ordered, brightPercent / 100);
  const FieldThreshold threshold = fieldThreshold(bright, cornersOf(means, plane.width, plane.height), level);
  Image field(1, plane.height, plane.width, ElementType::U8);
  const auto mask = field.view<std::uint8_t>(0);
  std::size_t i = 0;
  for (int y = 0; y < plane.height; ++y) {
    for (int x = 0; x < plane.width; ++x)
      mask.at(x, y) = means[i++] > threshold.value || threshold.everything ? 1 : 0;
  }
  if (!threshold.everything) {
    removeThinParts(mask, team, stop);
    keepConvexPiece(mask);
  }
  return field;
}

/// Columns first: the nearest inside pixel above or below. Then, along each row, the lower envelope of the
/// parabolas over those. Source  P. Felzenszwalb, D. Huttenlocher, Distance Transforms of Sampled Functions,
/// Theory of Computing 8, 2012.
NearestInside nearestInside(PlaneView<const std::uint8_t> mask, bool inside, const ThreadTeam& team,
                            const std::stop_token& stop) {
  const auto width = static_cast<std::size_t>(mask.width);
  const std::size_t count = width * static_cast<std::size_t>(mask.height);
  NearestInside nearest{std::vector<int>(count), std::vector<int>(count), std::vector<float>(count)};
  std::vector<int> inColumn(count, -1);  // the row of the nearest one in this column
  const auto here = [&](int y, std::size_t x) -> int& {
    return inColumn[static_cast<std::size_t>(y) * width + x];
  };
  std::vector<int> last(width, -1);
  for (int y = 0; y < mask.height; ++y) {
    if (stop.stop_requested()) throw Cancelled();
    for (std::size_t x = 0; x < width; ++x) {
      if ((mask.at(static_cast<int>(x), y) != 0) == inside) last[x] = y;
      here(y, x) = last[x];
    }
  }
  last.assign(width, -1);
  for (int y = mask.height - 1; y >= 0; --y) {
    if (stop.stop_requested()) throw Cancelled();
    for (std::size_t x = 0; x < width; ++x) {
      if (here(y, x) == y) last[x] = y;
      if (last[x] >= 0 && (here(y, x) < 0 || last[x] - y < y - here(y, x))) here(y, x) = last[x];
    }
  }
  team.forRanges(0, mask.height, 16, [&](int from, int to) {
    if (stop.stop_requested()) throw Cancelled();
    std::vector<int> lowest(width);  // columns of the envelope's parabolas
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> starts(width);  // where each begins to be lowest
    for (int y = from; y < to; ++y) {
      const int* column = &inColumn[static_cast<std::size_t>(y) * width];
      const auto heightAt = [&](int x) {
        const double down = column[x] - y;
        return down * down + static_cast<double>(x) * x;
      };
      std::size_t held = 0;
      for (int x = 0; x < mask.width; ++x) {
        if (column[x] < 0) continue;
        double start = -infinity;
        while (held > 0) {
          const int other = lowest[held - 1];
          start = (heightAt(x) - heightAt(other)) / (2.0 * (x - other));
          if (start > starts[held - 1]) break;
          --held;
          start = -infinity;
        }
        lowest[held] = x;
        starts[held++] = start;
      }
      std::size_t k = 0;
      for (int x = 0; x < mask.width; ++x) {
        while (k + 1 < held && starts[k + 1] < x) ++k;
        const std::size_t i = static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x);
        nearest.x[i] = lowest[k];
        nearest.y[i] = column[lowest[k]];
        const float dx = static_cast<float>(lowest[k] - x);
        const float dy = static_cast<float>(nearest.y[i] - y);
        nearest.squaredDistance[i] = dx * dx + dy * dy;
      }
    }
  });
  return nearest;
}

}  // namespace bankside
