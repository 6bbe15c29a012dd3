#include "core/run/gathered_planes.h"

#include "core/engine.h"

namespace bankside {

void GatheredPlanes::add(int firstRow, const std::vector<Image>& band) {
  const std::size_t count = which_.empty() ? band.size() : which_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Image& part = band[which_.empty() ? i : which_[i]];
    if (images_.size() <= i) images_.emplace_back(1, height_, part.width(), part.type());
    MutablePlane rows = images_[i].plane(0);
    rows.data = rows.row(firstRow);
    rows.height = part.height();
    ImageSource(part).readRows(0, 0, rows);
  }
}

}  // namespace bankside
