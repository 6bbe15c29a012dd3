/// Maps at another number of pixels, whole or as far as they are there.
#pragma once

#include <vector>

#include "core/engine.h"
#include "core/maps/operation.h"

namespace bankside {

/// Along one axis: from `first` on, one weight a pixel.
struct Share {
  int first = 0;
  std::vector<float> weights;

  int end() const { return first + static_cast<int>(weights.size()); }
};

/// Of each of `to` pixels, where there were `from`.
std::vector<Share> sharesOf(int from, int to);

/// A part of what maps are at that extent, with the bytes of the whole. Errors  Cancelled
Maps resampledPart(const Maps& in, const Extent& extent, const Region& area, const OperationContext& context);

/// Maps whose rows come one after another, at another extent, with the bytes of the whole.
class ResampledRows {
 public:
  ResampledRows(const Extent& from, const Extent& to, const std::vector<MapName>& names);
  /// The rows that follow, of every map. Errors  Cancelled
  void add(const Maps& rows, const OperationContext& context);
  /// After the last. Once.
  Maps take() { return std::move(made_); }

 private:
  Maps made_;
  std::vector<Share> across_, down_;  ///< none: the extents are one
  int next_ = 0;                      ///< the row that comes
  int open_ = 0;                      ///< the first row made that is not finished
};

}  // namespace bankside
