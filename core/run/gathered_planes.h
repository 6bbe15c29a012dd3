/// Planes that come in bands, put together.
#pragma once

#include <vector>

#include "core/image.h"

namespace bankside {

/// Every `step`-th plane of the bands from `first` on, as images of `height` rows.
class GatheredPlanes {
 public:
  explicit GatheredPlanes(int height, std::size_t first = 0, std::size_t step = 1)
      : height_(height), first_(first), step_(step) {}

  /// Rows [firstRow, firstRow + band height) of every plane, [1, band height, W] each.
  void add(int firstRow, const std::vector<Image>& band);

  std::vector<Image>& images() { return images_; }

 private:
  int height_;
  std::size_t first_;
  std::size_t step_;
  std::vector<Image> images_;
};

}  // namespace bankside
