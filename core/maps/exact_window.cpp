#include "core/maps/exact_window.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/engine.h"
#include "core/maps/window.h"

namespace bankside::exact {
namespace {

/// Three boxes one after another, as one list of weights from -reach to reach.
std::vector<double> boxWeights(double sigma) {
  std::vector<double> weights = {1};
  for (const int radius : WindowBoxes(sigma).radii) {
    std::vector<double> next(weights.size() + 2 * static_cast<std::size_t>(radius));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      for (std::size_t k = 0; k < 2 * static_cast<std::size_t>(radius) + 1; ++k) next[i + k] += weights[i];
    }
    weights = std::move(next);
  }
  return weights;
}

/// A row of means of value(x, y) over the pixels that count(x, y).
template <class Value, class Counts>
std::vector<Exact> meanRow(const Extent& extent, double sigma, int y, const Value& value,
                           const Counts& counts) {
  const std::vector<double> weights = boxWeights(sigma);
  const auto reach = static_cast<int>(weights.size() / 2);
  const auto width = static_cast<std::size_t>(extent.width);
  std::vector<double> sums(width), sizes(width), shares(width);
  for (int row = std::max(0, y - reach); row <= std::min(extent.height - 1, y + reach); ++row) {
    const double w = weights[static_cast<std::size_t>(row - y + reach)];
    for (int x = 0; x < extent.width; ++x) {
      if (!counts(x, row)) continue;
      const double v = value(x, row);
      sums[static_cast<std::size_t>(x)] += w * v;
      sizes[static_cast<std::size_t>(x)] += w * std::fabs(v);
      shares[static_cast<std::size_t>(x)] += w;
    }
  }
  std::vector<Exact> means(width);
  for (int x = 0; x < extent.width; ++x) {
    double sum = 0, size = 0, share = 0;
    for (int k = std::max(0, x - reach); k <= std::min(extent.width - 1, x + reach); ++k) {
      const double w = weights[static_cast<std::size_t>(k - x + reach)];
      sum += w * sums[static_cast<std::size_t>(k)];
      size += w * sizes[static_cast<std::size_t>(k)];
      share += w * shares[static_cast<std::size_t>(k)];
    }
    if (share > 0) means[static_cast<std::size_t>(x)] = {sum / share, 8 * u * size / share + tiny};
  }
  return means;
}

/// The part of every pixel of an axis that lies under pixel `i` of `to`, or the two around its middle.
std::vector<std::pair<int, double>> shares(int i, int from, int to) {
  const double step = static_cast<double>(from) / to;
  std::vector<std::pair<int, double>> list;
  if (step > 1) {
    for (int p = 0; p < from; ++p) {
      const double part = std::min(p + 1.0, (i + 1) * step) - std::max(static_cast<double>(p), i * step);
      if (part > 0) list.emplace_back(p, part / step);
    }
    return list;
  }
  const double middle = std::clamp((i + 0.5) * step - 0.5, 0.0, from - 1.0);
  const double rest = middle - std::floor(middle);
  list.emplace_back(static_cast<int>(middle), 1 - rest);
  if (rest > 0) list.emplace_back(static_cast<int>(middle) + 1, rest);
  return list;
}

}  // namespace

bool inField(OperationContext& context, const Maps& maps, int x, int y) {
  if (context.field.everything()) return true;
  const auto mask = context.field.mask().view<std::uint8_t>(0);
  // What lies under the middle of the pixel.
  const auto fromX = static_cast<int>((x + 0.5) * mask.width / maps.extent.width);
  const auto fromY = static_cast<int>((y + 0.5) * mask.height / maps.extent.height);
  return mask.at(fromX, fromY) != 0;
}

std::vector<Exact> localRow(const Operation& op, const Maps& in, OperationContext& context, std::size_t map,
                            int y) {
  const bool squares = op.entry->name == "local-rms";
  std::vector<Exact> row = meanRow(
      in.extent, op.number("sigma"), y,
      [&](int x, int from) {
        const double v = at(in, map, x, from);
        return squares ? v * v : v;
      },
      [&](int x, int from) { return inField(context, in, x, from) && std::isfinite(at(in, map, x, from)); });
  if (!squares) return row;
  for (Exact& e : row) {
    const double root = std::sqrt(e.value);
    // The root of what may be off by `bound`, at either end.
    const double most = std::sqrt(e.value + e.bound);
    const double least = std::sqrt(std::max(0.0, e.value - e.bound));
    e = {root, std::max(most - root, root - least) + u * root};
  }
  return row;
}

Exact dilated(const Operation& op, const Maps& in, std::size_t map, int x, int y) {
  const std::vector<double>& sigmas = op.numbers("sigma");
  const double sigma = sigmas[map % sigmas.size()];
  const auto reach = static_cast<int>(dilationWeights(sigma).size()) - 1;
  double most = -std::numeric_limits<double>::infinity();
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      if (x + dx < 0 || y + dy < 0 || x + dx >= in.extent.width || y + dy >= in.extent.height) continue;
      const double pixel = at(in, map / sigmas.size(), x + dx, y + dy);
      if (std::isnan(pixel)) return {pixel, 0};
      most = std::max(most, pixel * std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)));
    }
  }
  return rounded(most, 6);
}

std::vector<Exact> resampledRow(const Maps& in, const Extent& extent, std::size_t map, int y) {
  const auto down = shares(y, in.extent.height, extent.height);
  std::vector<Exact> row;
  for (int x = 0; x < extent.width; ++x) {
    const auto across = shares(x, in.extent.width, extent.width);
    double sum = 0, size = 0;
    for (const auto& [fromY, wy] : down) {
      for (const auto& [fromX, wx] : across) {
        const double term = wx * wy * at(in, map, fromX, fromY);
        sum += term;
        size += std::fabs(term);
      }
    }
    const double roundings = static_cast<double>(down.size() + across.size()) + 4;
    const bool same = extent.width == in.extent.width && extent.height == in.extent.height;
    row.push_back({sum, same ? 0 : gammaBound(roundings) * size + tiny});
  }
  return row;
}

FillJudge::FillJudge(const Operation& op, const Maps& in, OperationContext& context)
    : in_(in),
      sigma_(op.number("sigma")),
      kept_(static_cast<std::size_t>(in.extent.height) * static_cast<std::size_t>(in.extent.width)) {
  const int height = in.extent.height;
  const int width = in.extent.width;
  const double erode = op.number("erode");
  const auto reach = static_cast<int>(std::floor(erode));
  const auto isInside = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < width && y < height && inField(context, in, x, y);
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) kept_[index(x, y)] = isInside(x, y) ? 1 : 0;
  }
  // The outside pixel that is nearest to an inside one has an inside neighbour: only those take others with
  // them.
  for (int y = 0; y < height; ++y) {
    if (context.stop.stop_requested()) throw Cancelled();
    for (int x = 0; x < width; ++x) {
      if (isInside(x, y) ||
          !(isInside(x - 1, y) || isInside(x + 1, y) || isInside(x, y - 1) || isInside(x, y + 1)))
        continue;
      for (int row = std::max(0, y - reach); row <= std::min(height - 1, y + reach); ++row) {
        for (int column = std::max(0, x - reach); column <= std::min(width - 1, x + reach); ++column) {
          if (std::hypot(column - x, row - y) <= erode) kept_[index(column, row)] = 0;
        }
      }
    }
  }
  whole_ = std::all_of(kept_.begin(), kept_.end(), [](char k) { return k != 0; });
}

Exact FillJudge::at(std::size_t map, int x, int y) {
  if (kept_[index(x, y)] != 0 || whole_) return {exact::at(in_, map, x, y), 0};
  // Every kept pixel that no other is nearer than: any of them is right.
  long nearest = std::numeric_limits<long>::max();
  double least = 0, most = 0, bound = 0;
  for (int dy = 0; static_cast<long>(dy) * dy <= nearest && dy < in_.extent.height; ++dy) {
    for (const int row : {y - dy, y + dy}) {
      if (row < 0 || row >= in_.extent.height) continue;
      for (int dx = 0;
           static_cast<long>(dx) * dx + static_cast<long>(dy) * dy <= nearest && dx < in_.extent.width;
           ++dx) {
        for (const int column : {x - dx, x + dx}) {
          if (column < 0 || column >= in_.extent.width || kept_[index(column, row)] == 0) continue;
          const long distance = static_cast<long>(dx) * dx + static_cast<long>(dy) * dy;
          const Exact mean = means(map, row)[static_cast<std::size_t>(column)];
          if (distance < nearest) least = most = mean.value;
          nearest = std::min(nearest, distance);
          least = std::min(least, mean.value);
          most = std::max(most, mean.value);
          bound = std::max(bound, mean.bound);
        }
      }
    }
  }
  return {(least + most) / 2, (most - least) / 2 + bound};
}

const std::vector<Exact>& FillJudge::means(std::size_t map, int y) {
  std::vector<Exact>& row = rows_[{map, y}];
  if (row.empty()) {
    row = meanRow(
        in_.extent, sigma_, y, [&](int x, int from) { return exact::at(in_, map, x, from); },
        [&](int x, int from) {
          return kept_[index(x, from)] != 0 && std::isfinite(exact::at(in_, map, x, from));
        });
  }
  return row;
}

namespace {

int binOf(double value) { return static_cast<int>(std::clamp(std::floor(value * 256), 0.0, 255.0)); }

}  // namespace

EqualizeJudge::EqualizeJudge(const Operation& op, const Maps& in)
    : in_(in), tiles_(in.extent, static_cast<int>(op.number("tiles"))), clip_(op.number("clip")) {}

/// What each bin of a tile becomes: how many lie at or below it, each bin no more than the limit, what is
/// beyond it shared.
const std::vector<double>& EqualizeJudge::levels(std::size_t map, int tileX, int tileY) {
  const auto [entry, fresh] = levels_.try_emplace({map, tiles_.number(tileX, tileY)}, 256);
  if (!fresh) return entry->second;
  std::array<double, 256> here{};
  double count = 0;
  for (int y = 0; y < in_.extent.height; ++y) {
    for (int x = 0; x < in_.extent.width; ++x) {
      const double value = exact::at(in_, map, x, y);
      if (y / tiles_.height == tileY && x / tiles_.width == tileX && std::isfinite(value))
        here[static_cast<std::size_t>(binOf(value))] += 1, count += 1;
    }
  }
  if (count == 0) return entry->second;
  const double limit = std::max(count / 256, clip_ * count);
  double beyond = 0;
  for (const double n : here) beyond += std::max(0.0, n - limit);
  for (std::size_t bin = 0; bin < here.size(); ++bin) {
    double below = 0;
    for (std::size_t b = 0; b <= bin; ++b) below += std::min(here[b], limit);
    entry->second[bin] = (below + static_cast<double>(bin + 1) * beyond / 256) / count;
  }
  return entry->second;
}

Exact EqualizeJudge::at(std::size_t map, int x, int y) {
  const double value = exact::at(in_, map, x, y);
  if (!std::isfinite(value)) return {value, 0};
  const auto bin = static_cast<std::size_t>(binOf(value));
  const double column = (x + 0.5) / tiles_.width - 0.5;
  const double row = (y + 0.5) / tiles_.height - 0.5;
  double sum = 0;
  for (const int j : {0, 1}) {
    for (const int i : {0, 1}) {
      const double left = std::floor(column) + i;
      const double top = std::floor(row) + j;
      const int tileX = std::clamp(static_cast<int>(left), 0, tiles_.across - 1);
      const int tileY = std::clamp(static_cast<int>(top), 0, tiles_.down - 1);
      sum += (1 - std::fabs(column - left)) * (1 - std::fabs(row - top)) * levels(map, tileX, tileY)[bin];
    }
  }
  return rounded(sum, 2);
}

}  // namespace bankside::exact
