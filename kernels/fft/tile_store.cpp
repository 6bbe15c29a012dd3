#include "kernels/fft/tile_store.h"

#include <algorithm>

#include "kernels/highway/raised_taps.h"

namespace bankside::fft {
namespace {

/// Results smaller than this stay in the caches; larger ones go around them. A tile's rows are short pieces
/// of many pages, so this pays sooner than for whole rows.
constexpr double streamBytes = 4.0 * 1024 * 1024;

}  // namespace

Region clip(const TileArea& area, const Region& region) {
  Region kept;
  kept.x = std::max(area.x, region.x);
  kept.y = std::max(area.y, region.y);
  kept.width = std::min(area.x + area.width, region.x + region.width) - kept.x;
  kept.height = std::min(area.y + area.height, region.y + region.height) - kept.y;
  return kept;
}

bool isLarge(const SinkBand& out) {
  double bytes = 0;
  for (const MutablePlane& plane : out.planes) bytes += static_cast<double>(plane.strideBytes) * plane.height;
  return bytes >= streamBytes;
}

void TileStore::store(const SinkBand& out, std::size_t planeIndex, const TileArea& area,
                      const float* results) const {
  const MutablePlane& plane = out.planes[planeIndex];
  const Region kept = clip(area, out.region);
  const auto size = static_cast<std::ptrdiff_t>(sizeOf(plane.type));
  const bool large = raised_ == 0 && isLarge(out);
  for (int y = kept.y; y < kept.y + kept.height; ++y) {
    const float* src = results + static_cast<std::size_t>(y - area.y) * stride_ + (kept.x - area.x);
    std::byte* dst = plane.row(y - out.region.y) + (kept.x - out.region.x) * size;
    const bool stream = large && reinterpret_cast<std::uintptr_t>(dst) % direct::rowAlignment == 0;
    kernels_.narrow(plane.type, src, kept.width, dst, stream);
    if (raised_ != 0) direct::lower(reinterpret_cast<float*>(dst), kept.width, raised_);
  }
}

void TileStore::storeIndex(const SinkBand& out, std::size_t planeIndex, const TileArea& area,
                           const std::int32_t* index) const {
  const Region kept = clip(area, out.region);
  const auto plane = out.planes[planeIndex].as<std::uint16_t>();
  for (int y = kept.y; y < kept.y + kept.height; ++y) {
    const std::int32_t* row = index + static_cast<std::size_t>(y - area.y) * stride_;
    kernels_.narrowIndex(row + (kept.x - area.x), kept.width,
                         plane.row(y - out.region.y) + (kept.x - out.region.x));
  }
}

}  // namespace bankside::fft
