/// Rows of a source for one band of output rows, gathered in pinned memory with the border rule applied.
#pragma once

#include <vector>

#include "core/engine.h"
#include "core/parallel.h"
#include "kernels/cuda/device_buffer.h"

namespace bankside::cuda {

/// Image rows [first, first + rows) of every channel; rows outside the image hold what the border rule puts
/// there, or nothing where a Constant border is the kernel's business.
class BandSource {
 public:
  BandSource(const ConvolutionProblem& problem);

  std::size_t rowBytes() const { return rowBytes_; }
  std::size_t bytes(int rows) const {
    return rowBytes_ * static_cast<std::size_t>(rows) * static_cast<std::size_t>(problem_.channels);
  }
  int first() const { return first_; }
  int rows() const { return rows_; }
  const std::byte* data() const { return pixels_.data(); }

  /// Fills the band. Rows that `previous` still holds are copied from it: a source that is a stream is asked
  /// for every row once. `team` copies from sources that lie in memory.
  void fill(Source& source, int first, int rows, const BandSource* previous, const ThreadTeam& team);

 private:
  std::byte* row(int channel, int y) const {
    return pixels_.data() + rowBytes_ * (static_cast<std::size_t>(channel) * static_cast<std::size_t>(rows_) +
                                         static_cast<std::size_t>(y - first_));
  }
  bool holds(int y) const { return y >= first_ && y < first_ + rows_; }
  void read(Source& source, int channel, int from, int y, int count, const BandSource* previous);

  ConvolutionProblem problem_;
  std::size_t rowBytes_;
  int first_ = 0;
  int rows_ = 0;
  PinnedBuffer pixels_;
};

}  // namespace bankside::cuda
