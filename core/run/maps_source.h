/// Between images and maps.
#pragma once

#include <vector>

#include "core/engine.h"
#include "core/maps/maps.h"

namespace bankside {

/// Maps as the channels of an image.
class MapsSource final : public Source {
 public:
  explicit MapsSource(const Maps& maps) : maps_(maps) {}
  ElementType type() const override { return ElementType::F32; }
  int channels() const override { return static_cast<int>(maps_.size()); }
  int height() const override { return maps_.extent.height; }
  int width() const override { return maps_.extent.width; }
  std::optional<ConstPlane> resident(int channel) const override {
    return maps_.planes[static_cast<std::size_t>(channel)].plane(0);
  }
  void readRows(int channel, int firstRow, MutablePlane dst) override {
    ImageSource(maps_.planes[static_cast<std::size_t>(channel)]).readRows(0, firstRow, dst);
  }

 private:
  const Maps& maps_;
};

/// The image's pixels as f32, whatever they are; a name for every channel.
Maps mapsOf(Source& image, std::vector<MapName> names, const Extent& extent);

}  // namespace bankside
