#include "kernels/fft/pixel_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/highway/row_extent.h"

namespace bankside::fft {
namespace {

/// How far ahead rows are fetched.
constexpr int rowsAhead = 6;

}  // namespace

TileArea tileArea(const ConvolutionProblem& problem, const TileGrid& shape, int tileX, int tileY) {
  TileArea area{tileX * shape.stepX, tileY * shape.stepY, 0, 0};
  area.width = std::clamp(problem.width - area.x, 0, shape.stepX);
  area.height = std::clamp(problem.height - area.y, 0, shape.stepY);
  return area;
}

void PixelTile::fillRow(const SourceBand& in, const TileArea& area, int channel, int y, int padded,
                        float* dst) const {
  const ConvolutionProblem& p = problem_;
  const std::byte* row = in.row(channel, y);
  const int firstX = area.x - taps_.anchorX;
  const int pixels = area.width + p.filterWidth - 1;
  const int left = row == nullptr ? pixels : std::clamp(-firstX, 0, pixels);
  const int right = row == nullptr ? pixels : std::clamp(p.width - firstX, left, pixels);
  if (left > 0) gatherRow(row, p.srcType, p.width, p.border, firstX, left, dst);
  if (right > left) {
    const auto offset = static_cast<std::size_t>(firstX + left) * sizeOf(p.srcType);
    rowKernels_.widen(p.srcType, row + offset, right - left, dst + left);
  }
  if (right < pixels)
    gatherRow(row, p.srcType, p.width, p.border, firstX + right, pixels - right, dst + right);
  std::fill(dst + pixels, dst + padded, 0.0f);
}

const float* PixelTile::rowOf(const SourceBand& in, const TileArea& area, int channel, int y, int padded,
                              float* filled) const {
  const int firstX = area.x - taps_.anchorX;
  const std::byte* row = problem_.srcType == ElementType::F32 ? in.row(channel, y) : nullptr;
  if (row != nullptr && firstX >= 0 && firstX + padded <= problem_.width)
    return reinterpret_cast<const float*>(row) + firstX;
  fillRow(in, area, channel, y, padded, filled);
  return filled;
}

/// Image row `y` under an area on its way to the caches: rows of a tile lie far apart, and the hardware
/// foresees none of them.
void PixelTile::fetch(const SourceBand& in, const TileArea& area, int channel, int y) const {
  constexpr int line = 64;
  const std::byte* const row = in.row(channel, y);
  if (row == nullptr) return;
  const auto pixel = static_cast<int>(sizeOf(problem_.srcType));
  const int firstX = area.x - taps_.anchorX;
  const int from = std::max(firstX, 0) * pixel / line * line;
  const int to = std::min(firstX + area.width + problem_.filterWidth - 1, problem_.width) * pixel;
  for (int i = from; i < to; i += line) __builtin_prefetch(row + i, 0, 2);
}

void PixelTile::pack(const SourceBand& in, const TileTransforms& t, const TileArea* areas,
                     const Treatment* treatments, int channel, float* space, float* largest) {
  const ConvolutionProblem& p = problem_;
  const int width = t.x.length;
  const std::size_t extentFloats = 4 * static_cast<std::size_t>(t.lanes);
  float* extent = rows_.atLeast(extentFloats + 3 * static_cast<std::size_t>(width));
  float* zeros = extent + extentFloats;
  std::fill(extent, zeros + width, 0.0f);
  for (int y = 0; y < t.y.length; ++y) {
    const float* rows[2] = {zeros, zeros};
    for (int i = 0; i < 2; ++i) {
      const TileArea& area = areas[i];
      if (area.width == 0 || y >= area.height + p.filterHeight - 1) continue;
      if (treatments[i].way != TileWay::Transform) continue;
      float* const filled = zeros + (i + 1) * width;
      const int sourceY = area.y - taps_.anchorY + y;
      if (y + rowsAhead < area.height + p.filterHeight - 1) fetch(in, area, channel, sourceY + rowsAhead);
      if (!treatments[i].needed) {
        rows[i] = rowOf(in, area, channel, sourceY, width, filled);
        continue;
      }
      // What lies beyond was not examined.
      const int pixels = area.width + p.filterWidth - 1;
      const float* const row = rowOf(in, area, channel, sourceY, pixels, filled);
      direct::scaleRow(row, pixels, treatments[i].most, PowerOfTwo(treatments[i].exponent), filled);
      std::fill(filled + pixels, filled + width, 0.0f);
      rows[i] = filled;
    }
    kernels_.packRow(t, rows[0], rows[1], y, space, extent);
  }
  for (int i = 0; i < 2; ++i) largest[i] = kernels_.largest(extent + i * 2 * t.lanes);
}

Treatment PixelTile::examine(const SourceBand& in, const TileArea& area, int firstChannel,
                             const MagnitudeRange& range, PixelsApart& apart) {
  const int pixels = area.width + problem_.filterWidth - 1;
  const int windowRows = area.height + problem_.filterHeight - 1;
  float* const filled = rows_.atLeast(static_cast<std::size_t>(pixels));
  // Row `i` of all channels' rows.
  const auto rowAt = [&](int i) {
    return rowOf(in, area, firstChannel + i / windowRows, area.y - taps_.anchorY + i % windowRows, pixels,
                 filled);
  };
  float largest = 0;
  float largestPlain = 0;
  std::uint64_t huge = 0;
  strange_.clear();
  for (int i = 0; i < problem_.tapChannels() * windowRows; ++i) {
    const float* const row = rowAt(i);
    const float most = direct::largestOfRow(row, pixels);
    if (most <= range.most) {
      largestPlain = std::max(largestPlain, most);
      continue;
    }
    strange_.push_back({i, most});
    const direct::RowExtent extent = direct::extentOfRow(row, pixels, range.most);
    largest = std::max(largest, extent.largest);
    largestPlain = std::max(largestPlain, extent.largestPlain);
    huge += static_cast<std::uint64_t>(extent.huge);
  }
  const auto all = static_cast<std::uint64_t>(problem_.tapChannels()) *
                   static_cast<std::uint64_t>(windowRows) * static_cast<std::uint64_t>(pixels);
  const bool hugeApart = leavesHuge(huge, all);
  const float kept = hugeApart ? largestPlain : std::max(largest, largestPlain);
  Treatment treatment{.needed = true};
  treatment.most = hugeApart ? range.most : std::numeric_limits<float>::max();
  treatment.exponent = range.holds(kept) ? 0 : -std::ilogb(kept);
  apart.begin(area.width, area.height, treatment.most);
  for (const auto& [i, most] : strange_) {
    if (most <= treatment.most) continue;
    apart.addRow(i / windowRows, i % windowRows, rowAt(i));
  }
  apart.end();
  if (apart.allNan())
    treatment.way = TileWay::Nan;
  else if (apart.tooMany())
    treatment.way = TileWay::Direct;
  return treatment;
}

}  // namespace bankside::fft
