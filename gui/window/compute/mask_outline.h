/// The rim of a region, drawn over what a pane shows.
#pragma once

#include "gui/window/compute/plane_renderer.h"

namespace bankside::window {

/// Colours the screen pixels where inside meets outside. `mask` has 255 inside and is as large as the image.
void renderOutline(const Image& mask, const Viewport& viewport, std::uint32_t color, const Screen& screen);

}  // namespace bankside::window
