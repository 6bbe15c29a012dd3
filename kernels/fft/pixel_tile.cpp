#include "kernels/fft/pixel_tile.h"

#include <algorithm>

namespace bankside::fft {

TileArea tileArea(const ConvolutionProblem& problem, const TileShape& shape, int tileX, int tileY) {
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

void PixelTile::pack(const SourceBand& in, const TileTransforms& t, const TileArea* areas, int channel,
                     float* space, float* largest) {
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
      const int sourceY = area.y - taps_.anchorY + y;
      const int firstX = area.x - taps_.anchorX;
      const std::byte* row = p.srcType == ElementType::F32 ? in.row(channel, sourceY) : nullptr;
      if (row != nullptr && firstX >= 0 && firstX + width <= p.width) {
        rows[i] = reinterpret_cast<const float*>(row) + firstX;
      } else {
        float* filled = zeros + (i + 1) * width;
        fillRow(in, area, channel, sourceY, width, filled);
        rows[i] = filled;
      }
    }
    kernels_.packRow(t, rows[0], rows[1], y, space, extent);
  }
  for (int i = 0; i < 2; ++i) largest[i] = kernels_.largest(extent + i * 2 * t.lanes);
}

void PixelTile::respondDirectly(const SourceBand& in, const TileArea& area, int firstChannel, int filter,
                                float* dst, std::size_t stride, const std::stop_token& stop) {
  const ConvolutionProblem& p = problem_;
  const int height = area.height + p.filterHeight - 1;
  const int padded = area.width + p.filterWidth - 1 + 2 * direct::rowSlack;
  const int channels = p.tapChannels();
  float* rows = rows_.atLeast(static_cast<std::size_t>(channels) * height * padded);
  for (int c = 0; c < channels; ++c) {
    for (int y = 0; y < height; ++y) {
      fillRow(in, area, firstChannel + c, area.y - taps_.anchorY + y, padded,
              rows + (static_cast<std::ptrdiff_t>(c) * height + y) * padded);
    }
  }
  table_.resize(static_cast<std::size_t>(channels) * p.filterHeight);
  DirectRowCall call;
  call.rows = table_.data();
  call.rowCount = static_cast<int>(table_.size());
  call.taps = taps_.taps.data() + static_cast<std::ptrdiff_t>(filter) * call.rowCount * p.filterWidth;
  call.filterWidth = p.filterWidth;
  call.pixels = area.width;
  for (int y = 0; y < area.height; ++y) {
    if (stop.stop_requested()) throw Cancelled();
    for (int c = 0; c < channels; ++c) {
      for (int k = 0; k < p.filterHeight; ++k) {
        table_[static_cast<std::size_t>(c * p.filterHeight + k)] =
            rows + (static_cast<std::ptrdiff_t>(c) * height + y + k) * padded;
      }
    }
    call.dst = dst + static_cast<std::size_t>(y) * stride;
    kernels_.directRow(call);
  }
}

}  // namespace bankside::fft
