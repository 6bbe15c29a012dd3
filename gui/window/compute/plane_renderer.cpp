#include "gui/window/compute/plane_renderer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/parallel.h"

namespace bankside::window {
namespace {

constexpr int outsideImage = -1;

/// Image column (or row) of every screen column (or row).
std::vector<int> positions(double origin, double zoom, int count, int side, int level) {
  std::vector<int> result(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double at = std::floor(origin + (i + 0.5) / zoom);
    result[static_cast<std::size_t>(i)] = at >= 0 && at < side ? static_cast<int>(at) >> level : outsideImage;
  }
  return result;
}

/// A value's place in the colour table, the division done once.
class Mapper {
 public:
  explicit Mapper(const RenderStyle& style) : Mapper(style, colorTable(style.map)) {}
  /// `table` outlives the mapper.
  Mapper(const RenderStyle& style, const ColorTable& table)
      : table_(table),
        low_(style.levels.low),
        scale_(style.levels.high != style.levels.low ? 256.0f / (style.levels.high - style.levels.low)
                                                     : 0.0f),
        tolerance_(style.tolerance) {}

  std::uint32_t operator()(float value) const {
    if (!(std::fabs(value) <= 3.4e38f)) return notFiniteColor;
    if (std::fabs(value) <= tolerance_ && tolerance_ > 0) return table_[128];
    const float at = scale_ == 0 ? (value < low_ ? 0.0f : 255.0f) : (value - low_) * scale_;
    return table_[static_cast<std::size_t>(std::clamp(at, 0.0f, 255.0f))];
  }

 private:
  const ColorTable& table_;
  float low_;
  float scale_;
  float tolerance_;
};

/// `put(pixel, color)` changes a screen pixel by the colour of its value.
template <class T, class Put>
void renderRows(const PlaneView<const T>& view, const std::vector<int>& columns, const std::vector<int>& rows,
                const Mapper& map, std::uint32_t outside, const Screen& screen, int first, int last,
                const Put& put) {
  for (int y = first; y < last; ++y) {
    std::uint32_t* out = screen.pixels + y * screen.stride;
    const int row = rows[static_cast<std::size_t>(y)];
    if (y > first && row == rows[static_cast<std::size_t>(y - 1)]) {
      std::memcpy(out, out - screen.stride, static_cast<std::size_t>(screen.width) * sizeof(std::uint32_t));
      continue;
    }
    if (row == outsideImage) {
      for (int x = 0; x < screen.width; ++x) put(out[x], outside);
      continue;
    }
    const T* src = view.row(row);
    int previous = outsideImage;
    std::uint32_t color = outside;
    for (int x = 0; x < screen.width; ++x) {
      const int column = columns[static_cast<std::size_t>(x)];
      if (column != previous) {
        color = column == outsideImage ? outside : map(asFloat(src[column]));
        previous = column;
      }
      put(out[x], color);
    }
  }
}

/// Rows of one plane row are equal on the screen, before as after.
template <class Put>
void renderThrough(const Plane& plane, const Viewport& viewport, const Mapper& map, std::uint32_t outside,
                   const Screen& screen, const Put& put) {
  const int level = levelFor(plane, viewport.zoom);
  const auto columns = positions(viewport.originX, viewport.zoom, screen.width, plane.width(), level);
  const auto rows = positions(viewport.originY, viewport.zoom, screen.height, plane.height(), level);
  const auto render = [&](const auto& view) {
    ThreadTeam(0).forRanges(0, screen.height, grainRows, [&](int first, int last) {
      renderRows(view, columns, rows, map, outside, screen, first, last, put);
    });
  };
  if (level > 0) return render(plane.copy(level).view<float>(0));
  visit(plane.type(), [&](auto element) { render(plane.image->view<decltype(element)>(plane.channel)); });
}

/// The grey map in one of the three colours.
ColorTable primaryTable(std::uint32_t channel) {
  ColorTable table = colorTable(ColorMap::Grey);
  for (std::uint32_t& color : table) color &= 0xff000000u | channel;
  return table;
}

/// The map with opacity where the alpha is: none at the colour that stands for nothing.
ColorTable coverTable(ColorMap map, const Cover& cover) {
  ColorTable table = colorTable(map);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double at = static_cast<double>(i) / 255.0;
    const double share = cover.evenly ? 1 : map == ColorMap::BlueWhiteRed ? std::fabs(2 * at - 1) : at;
    const auto alpha = static_cast<std::uint32_t>(std::lround(255 * share * cover.opacity));
    table[i] = (table[i] & 0xffffffu) | alpha << 24;
  }
  return table;
}

std::uint32_t mixed(std::uint32_t below, std::uint32_t above) {
  const std::uint32_t alpha = above >> 24;
  std::uint32_t result = 0xff000000u;
  for (const int shift : {0, 8, 16}) {
    const std::uint32_t sum = (below >> shift & 0xff) * (255 - alpha) + (above >> shift & 0xff) * alpha;
    result |= (sum + 127) / 255 << shift;
  }
  return result;
}

}  // namespace

int levelFor(const Plane& plane, double zoom) {
  return std::clamp(levelFor(zoom), plane.finest, plane.coarsest());
}

int levelFor(double zoom) {
  constexpr int most = 24;
  int level = 0;
  while (level < most && zoom * (2 << level) <= 1.0) ++level;
  return level;
}

std::uint32_t colorOf(float value, const RenderStyle& style) { return Mapper(style)(value); }

void renderPlane(const Plane& plane, const Viewport& viewport, const RenderStyle& style,
                 const Screen& screen) {
  renderThrough(plane, viewport, Mapper(style), style.outside, screen,
                [](std::uint32_t& pixel, std::uint32_t color) { pixel = color; });
}

void renderColors(const std::array<PlanePtr, 3>& planes, const Viewport& viewport, const RenderStyle& style,
                  const Screen& screen) {
  static const ColorTable tables[] = {primaryTable(0xff0000), primaryTable(0xff00), primaryTable(0xff)};
  RenderStyle levels = style;
  levels.tolerance = 0;
  renderThrough(*planes[0], viewport, Mapper(levels, tables[0]), style.outside, screen,
                [](std::uint32_t& pixel, std::uint32_t color) { pixel = color; });
  for (const std::size_t i : {1, 2}) {
    renderThrough(*planes[i], viewport, Mapper(levels, tables[i]), 0, screen,
                  [](std::uint32_t& pixel, std::uint32_t color) { pixel |= color; });
  }
}

void renderOver(const Plane& plane, const Viewport& viewport, const RenderStyle& style, const Cover& cover,
                const Screen& screen) {
  const ColorTable table = coverTable(style.map, cover);
  renderThrough(plane, viewport, Mapper(style, table), 0, screen,
                [](std::uint32_t& pixel, std::uint32_t color) { pixel = mixed(pixel, color); });
}

}  // namespace bankside::window
