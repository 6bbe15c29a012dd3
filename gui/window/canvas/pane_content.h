/// Everything that the pixels of a pane are made of, and the pixels. Equal content has equal pixels, so that
/// a pane whose neighbour got a result, or that shows another pixel's frame, is not coloured again.
#pragma once

#include <cstdint>
#include <vector>

#include "gui/window/compute/plane_renderer.h"
#include "gui/window/compute/region.h"
#include "gui/window/compute/work.h"

namespace bankside::window {

/// Of a region's border.
inline constexpr std::uint32_t outlineColor = 0xff00c8ff;

/// Columns [first, last) of a pane. What is null is not there.
struct PartContent {
  int first = 0;
  int last = 0;
  Viewport viewport;  ///< of the whole pane
  PlanePtr plane;
  RenderStyle style;
  Photograph photograph;  ///< in place of the plane
  PlanePtr over;
  RenderStyle overStyle;
  Cover cover;
  bool dim = false;
  std::uint32_t ground = 0;
  PlanePtr patch;  ///< of a part of the image, over all of it
  Region patchArea;
  RenderStyle patchStyle;
  bool operator==(const PartContent&) const = default;
};

struct PaneContent {
  std::vector<PartContent> parts;
  MaskPtr outline;
  Viewport outlineViewport;
  bool operator==(const PaneContent&) const = default;
};

/// Colours the parts and then the outline; gives the number of screen pixels that got a colour, twice for
/// those that something lies over.
std::int64_t renderContent(const PaneContent& content, const Screen& screen);

}  // namespace bankside::window
