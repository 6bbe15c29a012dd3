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

/// A part of such planes, or of the differences of two, from what is known of their whole. Maps come together
/// and are made once, whatever number of them is asked for.
class MapParts {
 public:
  /// `known` outlives it.
  MapParts(const std::map<PlaneKey, PlaneResult>& known, const Region& area, int threads,
           std::stop_token stop);
  /// Null: that is not there, or has nothing that makes parts. Throws Cancelled
  PlanePtr part(const PlaneKey& key);
  /// How often maps were made.
  int made() const { return made_; }

 private:
  const std::map<PlaneKey, PlaneResult>& known_;
  Region area_;
  int threads_;
  std::stop_token stop_;
  int made_ = 0;
  std::map<const LastMaps*, std::vector<Image>> maps_;  // moved into planes where these are asked for
  std::map<PlaneKey, PlanePtr> planes_;
};

}  // namespace bankside::window
