/// Contrast-limited adaptive histogram equalisation: every pixel goes through the histogram of its
/// surroundings.
///
/// The frame is cut into `tiles` x `tiles` of one size; pixels from 0 to 1 are counted in 256 bins. What a
/// bin has beyond the limit, `clip` of the tile's pixels, is shared among all bins, once. A tile maps a bin
/// to the share of its pixels at or below it; a pixel takes the maps of the four tiles around it, linear
/// between their middles. Source  K. Zuiderveld, Contrast limited adaptive histogram equalization, Graphics
/// Gems IV, 1994.
#include "core/maps/equalize.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/maps/map_rows.h"

namespace bankside {
namespace {

constexpr int bins = EqualizeTiles::bins;
using Levels = std::array<double, bins>;

/// Of one tile: what each bin becomes, 0 to 1. What is not finite counts for nothing.
Levels levelsOf(PlaneView<const float> in, const EqualizeTiles& tiles, int tileX, int tileY, double clip) {
  Levels counts{};
  double pixels = 0;
  for (int y = tileY * tiles.height; y < std::min((tileY + 1) * tiles.height, in.height); ++y) {
    for (int x = tileX * tiles.width; x < std::min((tileX + 1) * tiles.width, in.width); ++x) {
      if (!std::isfinite(in.at(x, y))) continue;
      counts[static_cast<std::size_t>(EqualizeTiles::binOf(in.at(x, y)))] += 1;
      pixels += 1;
    }
  }
  Levels levels;
  EqualizeTiles::makeLevels(counts.data(), pixels, clip, levels.data());
  return levels;
}

Maps equalize(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const Maps& in = *taken[0];
  const EqualizeTiles tiles(in.extent, static_cast<int>(op.number("tiles")));
  Maps out = Maps::make(in.extent, in.names);
  for (std::size_t m = 0; m < in.size(); ++m) {
    const auto from = in.view(m);
    const auto to = out.view(m);
    std::vector<Levels> levels(static_cast<std::size_t>(tiles.across) * static_cast<std::size_t>(tiles.down));
    forRows(context, tiles.down, [&](int tileY) {
      for (int tileX = 0; tileX < tiles.across; ++tileX)
        levels[tiles.number(tileX, tileY)] = levelsOf(from, tiles, tileX, tileY, op.number("clip"));
    });
    forRows(context, from.height, [&](int y) {
      const EqualizeTiles::Between rows = EqualizeTiles::between(y, tiles.height, tiles.down);
      for (int x = 0; x < from.width; ++x) {
        const float value = from.at(x, y);
        if (!std::isfinite(value)) {
          to.at(x, y) = value;
          continue;
        }
        const EqualizeTiles::Between columns = EqualizeTiles::between(x, tiles.width, tiles.across);
        const auto bin = static_cast<std::size_t>(EqualizeTiles::binOf(value));
        const auto at = [&](int tileX, int tileY) { return levels[tiles.number(tileX, tileY)][bin]; };
        const double upper = at(columns.first, rows.first) +
                             columns.share * (at(columns.second, rows.first) - at(columns.first, rows.first));
        const double lower =
            at(columns.first, rows.second) +
            columns.share * (at(columns.second, rows.second) - at(columns.first, rows.second));
        to.at(x, y) = static_cast<float>(upper + rows.share * (lower - upper));
      }
    });
  }
  return out;
}

}  // namespace

EqualizeTiles::EqualizeTiles(const Extent& extent, int tiles) {
  const auto part = [tiles](int side) { return (side + tiles - 1) / tiles; };
  height = part(extent.height);
  width = part(extent.width);
  down = (extent.height + height - 1) / height;
  across = (extent.width + width - 1) / width;
}

std::vector<OperationEntry> equalizeOperations() {
  return {{"equalize",
           "of pixels from 0 to 1, in the whole frame: the share of the pixels around that are no brighter, "
           "its contrast limited",
           1,
           1,
           {{"tiles", "parts that each side of the frame is cut into", 8, 1, 64, false, true},
            {"clip", "the largest share of a part's pixels that one of 256 levels may have", 0.01, 0, 1}},
           equalize}};
}

}  // namespace bankside
