/// Rows of a source for one band of output rows, with the border rule applied; of several images one after
/// the other. They are gathered in pinned memory, unless they lie in such memory already.
#pragma once

#include <vector>

#include "core/engine.h"
#include "core/parallel.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/stream.h"

namespace bankside::cuda {

/// Rows that a thread copies at a time: few, so that all of a large team end together, and no fewer than are
/// worth waking it.
int rowsOfACopy(std::size_t rowBytes);

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

  /// Makes room for rows [first, first + rows) of those images; what was there is gone.
  void prepare(int first, int rows, const std::vector<Source*>& images);

  /// Fills the band of one image. Rows that `previous` still holds are copied from it: a source that is a
  /// stream is asked for every row once. `team` copies from sources that lie in memory; from one in pinned
  /// memory nothing is copied.
  void fill(int image, Source& source, const BandSource* previous, const ThreadTeam& team);

  /// Puts the copies of all images to the device into the stream. Sources in pinned memory stay as they are
  /// until they are done.
  void upload(std::byte* to, const Stream& stream) const;

 private:
  /// Its planes where all of them are in pinned memory, else none.
  std::vector<ConstPlane> inPlace(const Source& source) const;
  void uploadInPlace(const std::vector<ConstPlane>& planes, std::byte* to, const Stream& stream) const;
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
  int image_ = 0;                                 ///< that was filled last
  std::vector<std::vector<ConstPlane>> inPlace_;  ///< of each image
  PinnedBuffer pixels_;
};

}  // namespace bankside::cuda
