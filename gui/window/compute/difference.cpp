#include "gui/window/compute/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace bankside::window {

DifferenceVerdict judgeDifference(const Plane& difference, const Plane& magnitude, const ErrorBound& ours,
                                  const ErrorBound& theirs, double further) {
  if (difference.width() != magnitude.width() || difference.height() != magnitude.height()) {
    throw Error(ErrorCode::BadInput, "a difference is judged at the size of its results");
  }
  // Everywhere the same, and of the pixel's own terms.
  double common = 0;
  double own = further;
  for (const ErrorBound& bound : {ours, theirs}) (bound.ofPixelAlone() ? own : common) += bound.factor;
  common *= std::max(0.0f, magnitude.range.high);
  const auto differs = difference.image->view<float>(difference.channel);
  const auto terms = magnitude.image->view<float>(magnitude.channel);
  DifferenceVerdict verdict;
  double largest = 0;
  double least = std::numeric_limits<double>::infinity();  // of those beyond their allowance
  for (int y = 0; y < differs.height; ++y) {
    for (int x = 0; x < differs.width; ++x) {
      const double off = std::fabs(differs.at(x, y));
      if (off == 0 || std::isnan(off)) continue;
      const double allowed = own * terms.at(x, y) + common;
      const double share = allowed > 0 ? off / allowed : std::numeric_limits<double>::infinity();
      verdict.share = std::max(verdict.share, share);
      largest = std::max(largest, off);
      if (share > 1) least = std::min(least, off);
    }
  }
  verdict.tolerance = static_cast<float>(largest);
  if (least <= largest) verdict.tolerance = std::nextafter(static_cast<float>(least), 0.0f);
  return verdict;
}

}  // namespace bankside::window
