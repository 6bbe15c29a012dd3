#include "core/run/gathered_planes.h"

#include "core/engine.h"

namespace bankside {

void GatheredPlanes::add(int firstRow, const std::vector<Image>& band) {
  std::size_t i = 0;
  for (std::size_t plane = first_; plane < band.size(); plane += step_, ++i) {
    const Image& part = band[plane];
    if (images_.size() <= i) images_.emplace_back(1, height_, part.width(), part.type());
    MutablePlane rows = images_[i].plane(0);
    rows.data = rows.row(firstRow);
    rows.height = part.height();
    ImageSource(part).readRows(0, 0, rows);
  }
}

}  // namespace bankside
