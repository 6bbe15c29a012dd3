/// Planes that come in bands, put together.
#pragma once

#include <utility>
#include <vector>

#include "core/image.h"

namespace bankside {

/// Planes of the bands, in the order in which `which` names them, as images of `height` rows; all of them
/// where it names none.
class GatheredPlanes {
 public:
  /// threads: that copy rows, as ThreadTeam has them
  explicit GatheredPlanes(int height, std::vector<std::size_t> which = {}, int threads = 1)
      : height_(height), which_(std::move(which)), threads_(threads) {}

  /// Rows [firstRow, firstRow + band height) of every plane, [1, band height, W] each.
  void add(int firstRow, const std::vector<Image>& band);

  std::vector<Image>& images() { return images_; }

 private:
  int height_;
  std::vector<std::size_t> which_;
  int threads_;
  std::vector<Image> images_;
};

}  // namespace bankside
