/// The planes of a recipe of steps.
#pragma once

#include <stop_token>
#include <vector>

#include "gui/window/compute/work.h"

namespace bankside::window {

/// The maps of the last step of a recipe, by OpenCV where `layer` is its layer; the ones before it are not
/// kept. `source`: what the recipe sees. Of a picture that is not in memory they are coarser copies, unless
/// all maps could be held, and have what makes their parts. Throws Error, Cancelled
std::vector<PlaneResult> lastMaps(const RunSettings& settings, Source& source, Layer layer,
                                  const SelectEngine& select, const std::stop_token& stop);

/// A part of such a plane, or of the difference of two, from what is known of its whole. Null: that is not
/// there, or has nothing that makes parts. Throws Cancelled
PlanePtr partOfMap(const std::map<PlaneKey, PlaneResult>& known, const PlaneKey& key, const Region& area,
                   int threads, const std::stop_token& stop);

}  // namespace bankside::window
