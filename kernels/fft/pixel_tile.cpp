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
  const int width = t.x.length;
  float* rows = rows_.atLeast(2 * static_cast<std::size_t>(width));
  largest[0] = largest[1] = 0;
  for (int y = 0; y < t.y.length; ++y) {
    for (int i = 0; i < 2; ++i) {
      const TileArea& area = areas[i];
      float* row = rows + i * width;
      if (area.width > 0 && y < area.height + problem_.filterHeight - 1) {
        fillRow(in, area, channel, area.y - taps_.anchorY + y, width, row);
        largest[i] = std::max(largest[i], kernels_.largest(row, width));
      } else {
        std::fill(row, row + width, 0.0f);
      }
    }
    kernels_.packRow(t, rows, rows + width, y, space);
  }
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
