/// From a plane to the pixels of a pane: levels, colours and zoom in one pass over what is visible.
///
/// Every screen pixel is looked up anew: two panes of a laptop's screen take a few milliseconds. From zoom 1
/// up a screen pixel is one image pixel's native value; below, one of the coarser copy that fits.
#pragma once

#include <cstdint>

#include "gui/window/compute/color_map.h"
#include "gui/window/compute/plane.h"

namespace bankside::window {

/// The values that get the first and the last colour. `low` above `high` turns the map round.
struct Levels {
  float low = 0;
  float high = 255;
  bool operator==(const Levels&) const = default;
};

/// Which part of the image lies where: the screen pixel (x, y) shows image position origin + (x + 0.5) /
/// zoom.
struct Viewport {
  double originX = 0;
  double originY = 0;
  double zoom = 1;  ///< screen pixels an image pixel
  bool operator==(const Viewport&) const = default;
};

/// A rectangle of 0xffRRGGBB pixels to fill.
struct Screen {
  std::uint32_t* pixels = nullptr;
  int width = 0;
  int height = 0;
  std::ptrdiff_t stride = 0;  ///< in pixels
};

struct RenderStyle {
  Levels levels;
  ColorMap map = ColorMap::Grey;
  float tolerance = 0;                 ///< values no farther from zero get the middle colour (differences)
  std::uint32_t outside = 0xff000000;  ///< where there is no image
  bool operator==(const RenderStyle&) const = default;
};

void renderPlane(const Plane& plane, const Viewport& viewport, const RenderStyle& style,
                 const Screen& screen);

/// Red, green and blue, which have one size, with the levels of `style`; its map and tolerance are not looked
/// at.
void renderColors(const std::array<PlanePtr, 3>& planes, const Viewport& viewport, const RenderStyle& style,
                  const Screen& screen);

/// How much of what is below a plane that lies over it covers.
struct Cover {
  double opacity = 1;   ///< 0..1
  bool evenly = false;  ///< else the farther a value is from what the map leaves out, the more it covers
  bool operator==(const Cover&) const = default;
};

/// Lays a plane over what `screen` shows of another one of its size in the same viewport.
void renderOver(const Plane& plane, const Viewport& viewport, const RenderStyle& style, const Cover& cover,
                const Screen& screen);

/// The copy that is read at a zoom: 0 is the plane itself, n what is halved n times.
int levelFor(const Plane& plane, double zoom);
/// The coarsest that has a pixel for every screen pixel.
int levelFor(double zoom);

/// The colour of one value.
std::uint32_t colorOf(float value, const RenderStyle& style);

}  // namespace bankside::window
