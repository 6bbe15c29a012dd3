#include "core/run/gathered_planes.h"

#include "core/engine.h"
#include "core/parallel.h"

namespace bankside {

void GatheredPlanes::add(int firstRow, const std::vector<Image>& band) {
  const ThreadTeam team(threads_);
  const std::size_t count = which_.empty() ? band.size() : which_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Image& part = band[which_.empty() ? i : which_[i]];
    if (images_.size() <= i) images_.emplace_back(1, height_, part.width(), part.type());
    team.forRanges(0, part.height(), grainRows, [&](int first, int last) {
      MutablePlane rows = images_[i].plane(0);
      rows.data = rows.row(firstRow + first);
      rows.height = last - first;
      ImageSource(part).readRows(0, first, rows);
    });
  }
}

}  // namespace bankside
