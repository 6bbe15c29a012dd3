#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "core/error.h"
#include "filters/analysis/filter_analysis.h"
#include "gui/window/models/bank_edit.h"

namespace bankside::window {
namespace {

std::size_t at(const Filter& f, int channel, int y, int x) {
  return (static_cast<std::size_t>(channel) * f.height + y) * f.width + x;
}

void requireSide(int height, int width) {
  if (height >= 1 && width >= 1 && height <= maxFilterSide && width <= maxFilterSide) return;
  throw Error(ErrorCode::Limit, "The filter would be " + std::to_string(height) + " x " +
                                    std::to_string(width) + "; each side must be 1 to " +
                                    std::to_string(maxFilterSide) + ".");
}

/// `filter` in a frame of its own: the tap that was at (y, x) lands at (y + dy, x + dx), or falls off.
Filter reframed(const Filter& filter, int height, int width, int dy, int dx) {
  requireSide(height, width);
  Filter result = filter;
  result.height = height;
  result.width = width;
  result.taps.assign(static_cast<std::size_t>(filter.channels) * height * width, 0.0f);
  for (int c = 0; c < filter.channels; ++c) {
    for (int y = std::max(0, -dy); y < std::min(filter.height, height - dy); ++y) {
      for (int x = std::max(0, -dx); x < std::min(filter.width, width - dx); ++x)
        result.taps[at(result, c, y + dy, x + dx)] = filter.tap(c, y, x);
    }
  }
  result.anchorX = std::clamp(filter.anchorX + dx, 0, width - 1);
  result.anchorY = std::clamp(filter.anchorY + dy, 0, height - 1);
  return result;
}

/// How far taps move when a side of `from` with this anchor becomes `to`.
int shiftFor(int anchor, int from, int to) {
  if (anchor == from / 2) return to / 2 - anchor;
  if (to >= from) return (to - from) / 2;
  return std::clamp((to - from) / 2, -anchor, std::max(-anchor, to - 1 - anchor));
}

/// `degrees` within a full turn, or within half of one for filters that half a turn leaves as they are.
std::optional<double> folded(const Filter& filter, double degrees) {
  const double turn = symmetryOf(filter).even ? 180 : 360;
  degrees = std::fmod(degrees, turn);
  return degrees < 0 ? degrees + turn : degrees;
}

double sumOf(const std::vector<float>& taps) { return std::accumulate(taps.begin(), taps.end(), 0.0); }

}  // namespace

Filter withTap(Filter filter, int channel, int y, int x, float tap) {
  filter.taps[at(filter, channel, y, x)] = tap;
  return filter;
}

Filter withBlock(Filter filter, int channel, int y, int x, const TapBlock& block) {
  const int height = std::max(filter.height, y + block.rows);
  const int width = std::max(filter.width, x + block.columns);
  if (height != filter.height || width != filter.width) filter = reframed(filter, height, width, 0, 0);
  for (int row = 0; row < block.rows; ++row) {
    std::copy_n(block.values.begin() + static_cast<std::ptrdiff_t>(row) * block.columns, block.columns,
                filter.taps.begin() + static_cast<std::ptrdiff_t>(at(filter, channel, y + row, x)));
  }
  return filter;
}

TapBlock blockOf(const Filter& filter, int channel, int y, int x, int rows, int columns) {
  TapBlock block{rows, columns, {}};
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column)
      block.values.push_back(filter.tap(channel, y + row, x + column));
  }
  return block;
}

Filter replacedByBlock(const Filter& filter, int channel, const TapBlock& block) {
  Filter result = reframed(filter, block.rows, block.columns, 0, 0);
  result = withBlock(std::move(result), channel, 0, 0, block);
  result.anchorX = block.columns / 2;
  result.anchorY = block.rows / 2;
  return result;
}

Filter resized(const Filter& filter, int height, int width) {
  return reframed(filter, height, width, shiftFor(filter.anchorY, filter.height, height),
                  shiftFor(filter.anchorX, filter.width, width));
}

Filter withUnitSum(Filter filter) {
  const double sum = sumOf(filter.taps);
  double absolute = 0;
  for (const float tap : filter.taps) absolute += std::abs(static_cast<double>(tap));
  // Rounding each tap to f32 leaves at most this much of a sum that was zero.
  if (std::abs(sum) <= absolute * std::ldexp(1.0, -23)) {
    throw Error(
        ErrorCode::BadInput,
        "The taps sum to zero, so no factor makes their sum 1; zero-sum filters answer edges, not means.");
  }
  for (float& tap : filter.taps) tap = static_cast<float>(tap / sum);
  return filter;
}

Filter withZeroMean(Filter filter) {
  const double mean = sumOf(filter.taps) / static_cast<double>(filter.taps.size());
  for (float& tap : filter.taps) tap = static_cast<float>(tap - mean);
  return filter;
}

Filter transposed(const Filter& filter) {
  Filter result = filter;
  std::swap(result.height, result.width);
  std::swap(result.anchorX, result.anchorY);
  for (int c = 0; c < filter.channels; ++c) {
    for (int y = 0; y < filter.height; ++y) {
      for (int x = 0; x < filter.width; ++x) result.taps[at(result, c, x, y)] = filter.tap(c, y, x);
    }
  }
  if (filter.orientation) result.orientation = folded(result, 90 - *filter.orientation);
  return result;
}

Filter mirroredLeftRight(const Filter& filter) {
  Filter result = filter;
  result.anchorX = filter.width - 1 - filter.anchorX;
  for (auto row = result.taps.begin(); row != result.taps.end(); row += filter.width)
    std::reverse(row, row + filter.width);
  if (filter.orientation) result.orientation = folded(result, 180 - *filter.orientation);
  return result;
}

Filter mirroredTopBottom(const Filter& filter) {
  Filter result = filter;
  result.anchorY = filter.height - 1 - filter.anchorY;
  for (int c = 0; c < filter.channels; ++c) {
    for (int y = 0; y < filter.height; ++y) {
      for (int x = 0; x < filter.width; ++x)
        result.taps[at(result, c, filter.height - 1 - y, x)] = filter.tap(c, y, x);
    }
  }
  if (filter.orientation) result.orientation = folded(result, -*filter.orientation);
  return result;
}

Filter halfTurned(const Filter& filter) {
  Filter result = rotated180(filter);
  if (filter.orientation) result.orientation = folded(result, *filter.orientation + 180);
  return result;
}

}  // namespace bankside::window
