#include "kernels/cuda/runtime/band_source.h"

#include <algorithm>
#include <cstring>

#include "kernels/cuda/pixels/tile_math.h"
#include "kernels/cuda/runtime/pinned_memory.h"

namespace bankside::cuda {

int rowsOfACopy(std::size_t rowBytes) {
  constexpr std::size_t leastBytes = std::size_t{1} << 20;
  return std::max(16, static_cast<int>(leastBytes / std::max<std::size_t>(rowBytes, 1)));
}

BandSource::BandSource(const ConvolutionProblem& problem)
    : problem_(problem),
      rowBytes_((static_cast<std::size_t>(problem.width) * sizeOf(problem.srcType) + 127) / 128 * 128) {}

void BandSource::read(Source& source, int channel, int from, int y, int count, const BandSource* previous) {
  const std::size_t used = static_cast<std::size_t>(problem_.width) * sizeOf(problem_.srcType);
  while (count > 0 && previous != nullptr && previous->holds(from) &&
         borderIndex(from, problem_.height, problem_.border) == from) {
    std::memcpy(row(channel, y), previous->row(channel, from), used);
    ++from, ++y, --count;
  }
  if (count == 0) return;
  source.readRows(
      channel, from,
      {row(channel, y), problem_.srcType, problem_.width, count, static_cast<std::ptrdiff_t>(rowBytes_)});
}

std::vector<ConstPlane> BandSource::inPlace(const Source& source) const {
  std::vector<ConstPlane> planes;
  for (int c = 0; c < problem_.channels; ++c) {
    const std::optional<ConstPlane> whole = source.resident(c);
    if (!whole || !isPinned(*whole)) return {};
    planes.push_back(*whole);
  }
  return planes;
}

void BandSource::prepare(int first, int rows, const std::vector<Source*>& images) {
  first_ = first;
  rows_ = rows;
  inPlace_.clear();
  bool gathered = false;
  for (const Source* const source : images) {
    inPlace_.push_back(inPlace(*source));
    gathered = gathered || inPlace_.back().empty();
  }
  if (gathered) pixels_.reserve(bytes(rows) * images.size());
}

void BandSource::upload(std::byte* to, const Stream& stream) const {
  const std::size_t each = bytes(rows_);
  copyImages(
      inPlace_,
      [&](std::size_t first, std::size_t count) {
        BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(to + first * each, pixels_.data() + first * each, count * each,
                                            cudaMemcpyHostToDevice, stream));
      },
      [&](std::size_t i) { uploadInPlace(inPlace_[i], to + i * each, stream); });
}

/// What lies inside the image at one go, the rows that the border rule repeats one by one.
void BandSource::uploadInPlace(const std::vector<ConstPlane>& planes, std::byte* to,
                               const Stream& stream) const {
  const int top = std::max(first_, 0);
  const int bottom = std::min(first_ + rows_, problem_.height);
  const auto copy = [&](const ConstPlane& plane, int from, int y, int count) {
    const ConstPlane rows{plane.row(from), plane.type, plane.width, count, plane.strideBytes};
    copyRows({to + static_cast<std::size_t>(y - first_) * rowBytes_, plane.type, plane.width, count,
              static_cast<std::ptrdiff_t>(rowBytes_)},
             rows, stream);
  };
  for (const ConstPlane& plane : planes) {
    if (top < bottom) copy(plane, top, top, bottom - top);
    for (int y = first_; y < first_ + rows_; ++y) {
      if (y >= top && y < bottom) continue;
      const int inside = borderIndex(y, problem_.height, problem_.border);
      if (inside >= 0) copy(plane, inside, y, 1);
    }
    to += rowBytes_ * static_cast<std::size_t>(rows_);
  }
}

void BandSource::fill(int image, Source& source, const BandSource* previous, const ThreadTeam& team) {
  image_ = image;
  if (!inPlace_[static_cast<std::size_t>(image)].empty()) return;
  const int first = first_;
  const int rows = rows_;
  const int top = std::max(first, 0);
  const int bottom = std::min(first + rows, problem_.height);
  const std::size_t used = static_cast<std::size_t>(problem_.width) * sizeOf(problem_.srcType);
  for (int c = 0; c < problem_.channels; ++c) {
    if (const auto whole = source.resident(c)) {
      team.forRanges(first, first + rows, rowsOfACopy(used), [&](int begin, int end) {
        for (int y = begin; y < end; ++y) {
          const int inside = borderIndex(y, problem_.height, problem_.border);
          if (inside >= 0) std::memcpy(row(c, y), whole->row(inside), used);
        }
      });
      continue;
    }
    if (top < bottom) read(source, c, top, top, bottom - top, previous);
    for (int y = first; y < first + rows; ++y) {
      if (y >= top && y < bottom) continue;
      const int inside = borderIndex(y, problem_.height, problem_.border);
      if (inside < 0) continue;
      if (inside >= top && inside < bottom) {
        std::memcpy(row(c, y), row(c, inside), used);
      } else {
        read(source, c, inside, y, 1, previous);
      }
    }
  }
}

}  // namespace bankside::cuda
