#include "gui/window/compute/plane_renderer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/parallel.h"

namespace bankside::window {
namespace {

constexpr int rowsAtOnce = 64;
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
  explicit Mapper(const RenderStyle& style)
      : table_(colorTable(style.map)),
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

template <class T>
void renderRows(const PlaneView<const T>& view, const std::vector<int>& columns, const std::vector<int>& rows,
                const RenderStyle& style, const Screen& screen, int first, int last) {
  const Mapper map(style);
  for (int y = first; y < last; ++y) {
    std::uint32_t* out = screen.pixels + y * screen.stride;
    const int row = rows[static_cast<std::size_t>(y)];
    if (y > first && row == rows[static_cast<std::size_t>(y - 1)]) {
      std::memcpy(out, out - screen.stride, static_cast<std::size_t>(screen.width) * sizeof(std::uint32_t));
      continue;
    }
    if (row == outsideImage) {
      std::fill_n(out, screen.width, style.outside);
      continue;
    }
    const T* src = view.row(row);
    int previous = outsideImage;
    std::uint32_t color = style.outside;
    for (int x = 0; x < screen.width; ++x) {
      const int column = columns[static_cast<std::size_t>(x)];
      if (column != previous) {
        color = column == outsideImage ? style.outside : map(asFloat(src[column]));
        previous = column;
      }
      out[x] = color;
    }
  }
}

}  // namespace

int levelFor(const Plane& plane, double zoom) {
  int level = 0;
  while (level < static_cast<int>(plane.coarser.size()) && zoom * (2 << level) <= 1.0) ++level;
  return level;
}

std::uint32_t colorOf(float value, const RenderStyle& style) { return Mapper(style)(value); }

void renderPlane(const Plane& plane, const Viewport& viewport, const RenderStyle& style,
                 const Screen& screen) {
  const int level = levelFor(plane, viewport.zoom);
  const auto columns = positions(viewport.originX, viewport.zoom, screen.width, plane.width(), level);
  const auto rows = positions(viewport.originY, viewport.zoom, screen.height, plane.height(), level);
  const auto render = [&](const auto& view) {
    ThreadTeam(0).forRanges(0, screen.height, rowsAtOnce, [&](int first, int last) {
      renderRows(view, columns, rows, style, screen, first, last);
    });
  };
  if (level > 0) return render(plane.coarser[static_cast<std::size_t>(level - 1)].view<float>(0));
  visit(plane.type(), [&](auto element) { render(plane.image->view<decltype(element)>(plane.channel)); });
}

}  // namespace bankside::window
