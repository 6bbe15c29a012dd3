/// Rows of a source for one band of output rows, gathered in pinned memory with the border rule applied; of
/// several images one after the other.
#pragma once

#include <vector>

#include "core/engine.h"
#include "core/parallel.h"
#include "kernels/cuda/runtime/device_buffer.h"

namespace bankside::cuda {

/// Rows that a thread copies at a time: few, so that all of a large team end together.
inline constexpr int rowsOfACopy = 16;

/// Image rows [first, first + rows) of every channel; rows outside the image hold what the border rule puts
/// there, or nothing where a Constant border is the kernel's business.
class BandSource {
 public:
  BandSource(const ConvolutionProblem& problem);

  std::size_t rowBytes() const { return rowBytes_; }
  /// Of one image.
  std::size_t bytes(int rows) const {
    return rowBytes_ * static_cast<std::size_t>(rows) * static_cast<std::size_t>(problem_.channels);
  }
  int first() const { return first_; }
  int rows() const { return rows_; }
  const std::byte* data() const { return pixels_.data(); }

  /// Makes room for rows [first, first + rows) of `images` images; what was there is gone.
  void prepare(int first, int rows, int images);

  /// Fills the band of one image. Rows that `previous` still holds are copied from it: a source that is a
  /// stream is asked for every row once. `team` copies from sources that lie in memory.
  void fill(int image, Source& source, const BandSource* previous, const ThreadTeam& team);

 private:
  std::byte* row(int channel, int y) const {
    const auto plane = static_cast<std::size_t>(image_) * static_cast<std::size_t>(problem_.channels) +
                       static_cast<std::size_t>(channel);
    return pixels_.data() +
           rowBytes_ * (plane * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(y - first_));
  }
  bool holds(int y) const { return y >= first_ && y < first_ + rows_; }
  void read(Source& source, int channel, int from, int y, int count, const BandSource* previous);

  ConvolutionProblem problem_;
  std::size_t rowBytes_;
  int first_ = 0;
  int rows_ = 0;
  int image_ = 0;  ///< that was filled last
  PinnedBuffer pixels_;
};

}  // namespace bankside::cuda
