#include "kernels/cuda/runtime/band_source.h"

#include <algorithm>
#include <cstring>

#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

BandSource::BandSource(const ConvolutionProblem& problem)
    : problem_(problem),
      rowBytes_((static_cast<std::size_t>(problem.width) * sizeOf(problem.srcType) + 127) / 128 * 128) {}

void BandSource::read(Source& source, int channel, int from, int y, int count, const BandSource* previous) {
  const std::size_t used = static_cast<std::size_t>(problem_.width) * sizeOf(problem_.srcType);
  while (count > 0 && previous != nullptr && previous->holds(from) &&
         borderIndex(from, problem_.height, problem_.border.kind) == from) {
    std::memcpy(row(channel, y), previous->row(channel, from), used);
    ++from, ++y, --count;
  }
  if (count == 0) return;
  source.readRows(
      channel, from,
      {row(channel, y), problem_.srcType, problem_.width, count, static_cast<std::ptrdiff_t>(rowBytes_)});
}

void BandSource::prepare(int first, int rows, int images) {
  first_ = first;
  rows_ = rows;
  pixels_.reserve(bytes(rows) * static_cast<std::size_t>(images));
}

void BandSource::fill(int image, Source& source, const BandSource* previous, const ThreadTeam& team) {
  image_ = image;
  const int first = first_;
  const int rows = rows_;
  const int top = std::max(first, 0);
  const int bottom = std::min(first + rows, problem_.height);
  const std::size_t used = static_cast<std::size_t>(problem_.width) * sizeOf(problem_.srcType);
  for (int c = 0; c < problem_.channels; ++c) {
    if (const auto whole = source.resident(c)) {
      team.forRanges(first, first + rows, rowsOfACopy, [&](int begin, int end) {
        for (int y = begin; y < end; ++y) {
          const int inside = borderIndex(y, problem_.height, problem_.border.kind);
          if (inside >= 0) std::memcpy(row(c, y), whole->row(inside), used);
        }
      });
      continue;
    }
    if (top < bottom) read(source, c, top, top, bottom - top, previous);
    for (int y = first; y < first + rows; ++y) {
      if (y >= top && y < bottom) continue;
      const int inside = borderIndex(y, problem_.height, problem_.border.kind);
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
