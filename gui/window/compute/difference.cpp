#include "gui/window/compute/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/error.h"
#include "core/parallel.h"
#include "core/run/output_map.h"

namespace bankside::window {

double largestOf(const ValueRange& range) { return std::max(std::fabs(range.low), std::fabs(range.high)); }

std::optional<DifferenceVerdict> judgedByResults(const Plane& difference, const Plane& ours,
                                                 const Plane& theirs, const ErrorBound& boundOfOurs,
                                                 const ErrorBound& boundOfTheirs) {
  if (boundOfOurs.ofPixelAlone() || boundOfTheirs.ofPixelAlone() || difference.range.nonFinite > 0)
    return std::nullopt;
  // A result is off by at most its own bound; of two engines one may be wrong.
  const double least = std::min(largestOf(ours.range) / (1 + boundOfOurs.factor),
                                largestOf(theirs.range) / (1 + boundOfTheirs.factor));
  const double allowed = (boundOfOurs.factor + boundOfTheirs.factor) * least;
  const double most = largestOf(difference.range);
  if (!(most <= allowed)) return std::nullopt;
  return DifferenceVerdict{most > 0 ? most / allowed : 0, static_cast<float>(most), most > 0};
}

DifferenceVerdict judgeDifference(const Plane& difference, const Image& magnitude, const ErrorBound& ours,
                                  const ErrorBound& theirs, double further) {
  if (difference.width() != magnitude.width() || difference.height() != magnitude.height()) {
    throw Error(ErrorCode::BadInput, "a difference is judged at the size of its results");
  }
  // Everywhere the same, and of the pixel's own terms.
  double common = 0;
  double own = further;
  for (const ErrorBound& bound : {ours, theirs}) (bound.ofPixelAlone() ? own : common) += bound.factor;
  if (common > 0) common *= std::max(0.0f, valueRange(magnitude).high);
  const ValueRange& range = difference.range;
  if (own == 0 && range.nonFinite == 0) {
    const double most = largestOf(range);
    if (most <= common) return {most > 0 ? most / common : 0, static_cast<float>(most)};
  }
  const auto differs = difference.image->view<float>(difference.channel);
  const auto terms = magnitude.view<float>(0);
  DifferenceVerdict verdict;
  double largest = 0;
  double least = std::numeric_limits<double>::infinity();  // of those beyond their allowance
  std::mutex mutex;
  ThreadTeam(0).forRanges(0, differs.height, grainRows, [&](int first, int last) {
    double worst = 0;
    double most = 0;
    double beyond = std::numeric_limits<double>::infinity();
    for (int y = first; y < last; ++y) {
      const float* row = differs.row(y);
      const float* magnitudes = terms.row(y);
      for (int x = 0; x < differs.width; ++x) {
        const double off = std::fabs(row[x]);
        if (off == 0 || std::isnan(off)) continue;
        const double allowed = own * magnitudes[x] + common;
        most = std::max(most, off);
        if (!(off <= worst * allowed))
          worst = std::max(worst, allowed > 0 ? off / allowed : std::numeric_limits<double>::infinity());
        if (!(off <= allowed)) beyond = std::min(beyond, off);
      }
    }
    const std::lock_guard lock(mutex);
    verdict.share = std::max(verdict.share, worst);
    largest = std::max(largest, most);
    least = std::min(least, beyond);
  });
  verdict.tolerance = static_cast<float>(largest);
  if (least <= largest) verdict.tolerance = std::nextafter(static_cast<float>(least), 0.0f);
  return verdict;
}

}  // namespace bankside::window
