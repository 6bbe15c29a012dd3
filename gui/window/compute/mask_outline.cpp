#include "gui/window/compute/mask_outline.h"

#include <cmath>
#include <vector>

#include "core/parallel.h"

namespace bankside::window {
namespace {

constexpr int noPixel = -1;

/// Image column (or row) of each screen column (or row), from one before the first to one after the last.
std::vector<int> positions(double origin, double zoom, int count, int side) {
  std::vector<int> result(static_cast<std::size_t>(count) + 2);
  for (int i = -1; i <= count; ++i) {
    const double at = std::floor(origin + (i + 0.5) / zoom);
    result[static_cast<std::size_t>(i + 1)] = at >= 0 && at < side ? static_cast<int>(at) : noPixel;
  }
  return result;
}

}  // namespace

void renderOutline(const Image& mask, const Viewport& viewport, std::uint32_t color, const Screen& screen) {
  const auto view = mask.view<std::uint8_t>(0);
  const auto columns = positions(viewport.originX, viewport.zoom, screen.width, view.width);
  const auto rows = positions(viewport.originY, viewport.zoom, screen.height, view.height);
  ThreadTeam(0).forRanges(0, screen.height, grainRows, [&](int first, int last) {
    std::vector<std::uint8_t> inside[3];  // of the screen row above, this one, and the one below
    const auto read = [&](int screenRow, std::vector<std::uint8_t>& row) {
      row.assign(columns.size(), 0);
      const int y = rows[static_cast<std::size_t>(screenRow + 1)];
      if (y == noPixel) return;
      const std::uint8_t* src = view.row(y);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i] != noPixel) row[i] = src[columns[i]];
      }
    };
    read(first - 1, inside[0]);
    read(first, inside[1]);
    for (int y = first; y < last; ++y) {
      read(y + 1, inside[2]);
      std::uint32_t* out = screen.pixels + y * screen.stride;
      for (int x = 0; x < screen.width; ++x) {
        const auto i = static_cast<std::size_t>(x) + 1;
        const std::uint8_t here = inside[1][i];
        const bool rim = here != inside[1][i - 1] || here != inside[1][i + 1] || here != inside[0][i] ||
                         here != inside[2][i];
        if (rim) out[x] = color;
      }
      inside[0].swap(inside[1]);
      inside[1].swap(inside[2]);
    }
  });
}

}  // namespace bankside::window
