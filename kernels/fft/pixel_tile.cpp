#include "kernels/fft/pixel_tile.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "kernels/highway/row_extent.h"

namespace bankside::fft {

namespace {

void treat(const Treatment& treatment, float* pixels, int count) {
  const PowerOfTwo power(treatment.exponent);
  for (int x = 0; x < count; ++x)
    pixels[x] = std::fabs(pixels[x]) <= treatment.most ? pixels[x] * power.first * power.second : 0.0f;
}

}  // namespace

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
      const int sourceY = area.y - taps_.anchorY + y;
      const int firstX = area.x - taps_.anchorX;
      const std::byte* row = p.srcType == ElementType::F32 ? in.row(channel, sourceY) : nullptr;
      if (row != nullptr && firstX >= 0 && firstX + width <= p.width && !treatments[i].needed) {
        rows[i] = reinterpret_cast<const float*>(row) + firstX;
      } else {
        float* filled = zeros + (i + 1) * width;
        fillRow(in, area, channel, sourceY, width, filled);
        if (treatments[i].needed) treat(treatments[i], filled, width);
        rows[i] = filled;
      }
    }
    kernels_.packRow(t, rows[0], rows[1], y, space, extent);
  }
  for (int i = 0; i < 2; ++i) largest[i] = kernels_.largest(extent + i * 2 * t.lanes);
}

template <class Use>
void PixelTile::eachRow(const SourceBand& in, const TileArea& area, int firstChannel, const Use& use) {
  const int pixels = area.width + problem_.filterWidth - 1;
  float* row = rows_.atLeast(static_cast<std::size_t>(pixels));
  for (int c = 0; c < problem_.tapChannels(); ++c) {
    for (int y = 0; y < area.height + problem_.filterHeight - 1; ++y) {
      fillRow(in, area, firstChannel + c, area.y - taps_.anchorY + y, pixels, row);
      use(c, y, std::span<const float>(row, static_cast<std::size_t>(pixels)));
    }
  }
}

Treatment PixelTile::examine(const SourceBand& in, const TileArea& area, int firstChannel,
                             const MagnitudeRange& range, PixelsApart& apart) {
  // Magnitudes as bits, which compare as integers do.
  constexpr std::uint32_t infinite = 0x7f800000;
  const auto mostPlain = std::bit_cast<std::uint32_t>(range.most);
  std::uint32_t largest = 0;
  std::uint32_t largestPlain = 0;
  std::uint32_t huge = 0;
  std::size_t all = 0;
  float most = 0;  // infinity if any is not finite
  eachRow(in, area, firstChannel, [&](int, int, std::span<const float> pixels) {
    all += pixels.size();
    const float mostHere = direct::largestOfRow(pixels.data(), static_cast<int>(pixels.size()));
    most = std::max(most, mostHere);
    if (mostHere <= range.most) {
      largestPlain = std::max(largestPlain, std::bit_cast<std::uint32_t>(mostHere));
      return;
    }
    for (const float pixel : pixels) {
      const std::uint32_t size = std::bit_cast<std::uint32_t>(pixel) & 0x7fffffff;
      const std::uint32_t finite = size < infinite ? size : 0;
      largest = std::max(largest, finite);
      largestPlain = std::max(largestPlain, finite <= mostPlain ? finite : 0);
      huge += finite > mostPlain ? 1 : 0;
    }
  });
  const bool hugeApart = leavesHuge(huge, all);
  largest = std::max(largest, largestPlain);
  const float kept = std::bit_cast<float>(hugeApart ? largestPlain : largest);
  Treatment treatment{.needed = true};
  treatment.most = hugeApart ? range.most : std::numeric_limits<float>::max();
  treatment.exponent = range.holds(kept) ? 0 : -std::ilogb(kept);
  apart.begin(area.width, area.height, treatment.most);
  if (most <= treatment.most) return treatment;
  eachRow(in, area, firstChannel,
          [&](int c, int y, std::span<const float> pixels) { apart.addRow(c, y, pixels.data()); });
  return treatment;
}

}  // namespace bankside::fft
