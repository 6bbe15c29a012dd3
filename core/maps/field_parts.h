/// How a field of view is found: what host and device do alike of `findField`.
#pragma once

#include <cstdint>
#include <vector>

#include "core/host_device.h"
#include "core/plane_view.h"

namespace bankside {

/// So many of all means are no brighter than the bright parts of the image.
inline constexpr double brightPercent = 95;

/// Of the squares in the frame's corners, which no round field reaches.
int cornerSide(int width, int height);

/// Means above `value` are field; or all of it is, as the corners show the eye too.
struct FieldThreshold {
  float value = 0;
  bool everything = false;
};
/// `dark`: the median of the corners; `off`: that of how far they are from it.
BANKSIDE_HOST_DEVICE inline FieldThreshold fieldThreshold(float bright, float dark, float off, double level) {
  const float noise = 1.4826f * off;  // standard deviation, were it normal
  const float above = static_cast<float>(level) * (bright - dark);
  const float beyond = 6 * noise;
  return {dark + (above < beyond ? beyond : above), dark >= 0.5f * bright};
}
FieldThreshold fieldThreshold(float bright, std::vector<float> corners, double level);

/// The value that `part` of them lie below, or the next lower one. Reorders them.
float orderedAt(std::vector<float>& values, double part);

/// Of the disc that opens the field: marks and letters beside it are thinner.
float openingRadius(int width, int height);

/// Of `from` pixels along an axis the one that lies under the middle of number `i` of `to`.
inline int underMiddle(int i, int from, int to) { return static_cast<int>((i + 0.5) * from / to); }

/// Neighbouring pixels of a row that are not 0, from `first` to `last`.
struct Stretch {
  int y = 0;
  int first = 0;
  int last = 0;
};

/// From the top down, those of a row from the left.
std::vector<Stretch> stretchesOf(PlaneView<const std::uint8_t> mask);
/// Of a mask with a bit a pixel, the lowest one of a word being the leftmost; 0 beyond `width`.
/// Shapes  bits [H, width / 32 rounded up]
std::vector<Stretch> stretchesOf(PlaneView<const std::uint32_t> bits, int width);

/// A row's part of a region: none of it where `last` lies before `first`.
struct RowSpan {
  int first = 0;
  int last = -1;
};

/// The smallest convex region that holds the largest piece of those that touch along a side: what a camera
/// shows has no dents, though its rim may be as dark as the surround. Everything, where there is no piece:
/// nothing is brighter than the surround. A span a row. Source  A. M. Andrew, Another efficient algorithm for
/// convex hulls in two dimensions, Information Processing Letters 9, 1979.
std::vector<RowSpan> convexPiece(const std::vector<Stretch>& stretches, int height, int width);

/// 1 in the spans and 0 beside them.
void fillSpans(const std::vector<RowSpan>& spans, PlaneView<std::uint8_t> mask);

/// All of the mask's convex piece becomes 1, all else 0.
void keepConvexPiece(PlaneView<std::uint8_t> mask);

}  // namespace bankside
