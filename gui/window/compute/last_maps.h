/// The planes of a recipe of steps.
#pragma once

#include <stop_token>
#include <vector>

#include "gui/window/compute/work.h"

namespace bankside::window {

/// The maps of the last step of a recipe, by OpenCV where `layer` is its layer; the ones before it are not
/// kept. `source`: what the recipe sees. Throws Error, Cancelled
std::vector<PlaneResult> lastMaps(const RunSettings& settings, Source& source, Layer layer,
                                  const SelectEngine& select, const std::stop_token& stop);

}  // namespace bankside::window
