#include "core/run/spilled_planes.h"

#include "core/error.h"
#include "core/stopping.h"

namespace bankside {
namespace {

std::size_t rowBytes(const Image& plane) {
  return static_cast<std::size_t>(plane.width()) * static_cast<std::size_t>(sizeOf(plane.type()));
}

}  // namespace

void SpilledPlanes::add(int firstRow, const std::vector<Image>& band) {
  bands_.push_back({firstRow, band.front().height()});
  width_ = band.front().width();
  ranges_.resize(band.size());
  types_.clear();
  for (std::size_t i = 0; i < band.size(); ++i) {
    throwIfProgramStops();
    const Image& plane = band[i];
    types_.push_back(plane.type());
    ranges_[i].add(valueRange(plane));
    const ConstPlane rows = plane.plane(0);
    for (int y = 0; y < plane.height(); ++y, size_ += static_cast<std::int64_t>(rowBytes(plane)))
      file_.writeAt(size_, rows.row(y), rowBytes(plane));
  }
}

void SpilledPlanes::again(const std::function<void(int, const std::vector<Image>&)>& take,
                          const StopCheck& check) const {
  std::int64_t offset = 0;
  for (const Band& each : bands_) {
    std::vector<Image> band;
    for (const ElementType type : types_) {
      throwIfProgramStops();
      ask(check);
      Image& plane = band.emplace_back(1, each.height, width_, type);
      const MutablePlane rows = plane.plane(0);
      for (int y = 0; y < each.height; ++y, offset += static_cast<std::int64_t>(rowBytes(plane))) {
        if (file_.readAt(offset, rows.row(y), rowBytes(plane)) != rowBytes(plane))
          throw Error(ErrorCode::Io, "what was put aside for a map's range cannot be read back whole");
      }
    }
    take(each.firstRow, band);
  }
}

}  // namespace bankside
