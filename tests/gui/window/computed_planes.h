/// Planes as `computePlanes` gives them.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gui/window/compute/work.h"
#include "kernels/engines.h"

namespace bankside::window {

inline RunSettings settingsFor(Image image, FilterBank bank) {
  auto picture = std::make_shared<Picture>();
  picture->info.channelNames = image.channels() == 3 ? std::vector<std::string>{"red", "green", "blue"}
                                                     : std::vector<std::string>{"grey"};
  picture->info.channels = image.channels();
  picture->info.width = image.width();
  picture->info.height = image.height();
  picture->info.type = image.type();
  picture->path = "made.png";
  picture->image = std::make_shared<const Image>(std::move(image));
  RunSettings settings;
  settings.picture = picture;
  settings.bank = std::make_shared<const FilterBank>(std::move(bank));
  return settings;
}

inline std::map<PlaneKey, PlaneResult> compute(const RunSettings& settings,
                                               const std::vector<PlaneKey>& wanted) {
  std::map<PlaneKey, PlaneResult> results;
  computePlanes(settings, wanted, selectEngine, [&](PlaneResult r) { results[r.key] = std::move(r); }, {});
  return results;
}

}  // namespace bankside::window
