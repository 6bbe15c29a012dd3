#include "gui/window/canvas/pane_content.h"

#include <algorithm>
#include <cmath>

#include "gui/window/compute/mask_outline.h"

namespace bankside::window {
namespace {

/// Half way to `ground`.
std::uint32_t halfway(std::uint32_t color, std::uint32_t ground) {
  return 0xff000000 | (((color >> 1) & 0x7f7f7f) + ((ground >> 1) & 0x7f7f7f));
}

std::int64_t renderPatch(const PartContent& content, const Viewport& viewport, const Screen& screen) {
  // Screen pixels whose middles lie in the part.
  const auto clip = [&](double at, double origin, int side) {
    return std::clamp(static_cast<int>(std::ceil((at - origin) * viewport.zoom - 0.5)), 0, side);
  };
  const Region& area = content.patchArea;
  const int left = clip(area.x, viewport.originX, screen.width);
  const int right = clip(area.x + area.width, viewport.originX, screen.width);
  const int top = clip(area.y, viewport.originY, screen.height);
  const int bottom = clip(area.y + area.height, viewport.originY, screen.height);
  if (right <= left || bottom <= top) return 0;
  const Viewport inside{viewport.originX + left / viewport.zoom - area.x,
                        viewport.originY + top / viewport.zoom - area.y, viewport.zoom};
  renderPlane(*content.patch, inside, content.patchStyle,
              {screen.pixels + top * screen.stride + left, right - left, bottom - top, screen.stride});
  return std::int64_t{right - left} * (bottom - top);
}

std::int64_t renderPart(const PartContent& content, const Screen& pane) {
  if (content.last <= content.first) return 0;
  Viewport viewport = content.viewport;
  viewport.originX += content.first / viewport.zoom;
  const Screen screen{pane.pixels + content.first, content.last - content.first, pane.height, pane.stride};
  std::int64_t colored = 0;
  if (content.plane) {
    if (content.photograph) {
      renderColors(*content.photograph, viewport, content.style, screen);
    } else {
      renderPlane(*content.plane, viewport, content.style, screen);
    }
    colored += std::int64_t{screen.width} * screen.height;
    if (content.over) {
      renderOver(*content.over, viewport, content.overStyle, content.cover, screen);
      colored += std::int64_t{screen.width} * screen.height;
    }
  }
  const bool dim = content.plane && content.dim;
  for (int y = 0; y < screen.height && (dim || !content.plane); ++y) {
    std::uint32_t* row = screen.pixels + y * screen.stride;
    for (int x = 0; x < screen.width; ++x) row[x] = dim ? halfway(row[x], content.ground) : content.ground;
  }
  if (content.patch) colored += renderPatch(content, viewport, screen);
  return colored;
}

}  // namespace

std::int64_t renderContent(const PaneContent& content, const Screen& screen) {
  std::int64_t colored = 0;
  for (const PartContent& part : content.parts) colored += renderPart(part, screen);
  if (content.outline) renderOutline(*content.outline, content.outlineViewport, outlineColor, screen);
  return colored;
}

}  // namespace bankside::window
