#include "core/run/maps_source.h"

namespace bankside {

Maps mapsOf(Source& image, std::vector<MapName> names, const Extent& extent) {
  Maps maps = Maps::make(extent, std::move(names));
  Image row(1, 1, extent.width, image.type());
  for (int c = 0; c < image.channels(); ++c) {
    const auto out = maps.view(static_cast<std::size_t>(c));
    for (int y = 0; y < extent.height; ++y) {
      image.readRows(c, y, row.plane(0));
      visit(image.type(), [&](auto element) {
        const auto* in = row.view<decltype(element)>(0).row(0);
        for (int x = 0; x < extent.width; ++x) out.at(x, y) = asFloat(in[x]);
      });
    }
  }
  return maps;
}

}  // namespace bankside
