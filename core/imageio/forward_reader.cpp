#include "core/imageio/forward_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/stopping.h"

namespace bankside::codec {

void ForwardReader::decodeInto(Image& image, int imageRow, int height) {
  throwIfProgramStops();
  rows_.resize(static_cast<std::size_t>(image.channels()));
  for (int c = 0; c < image.channels(); ++c)
    rows_[static_cast<std::size_t>(c)] = image.plane(c).row(imageRow);
  decodeRow(rows_.data());
  if (++next_ == height) endRows();
}

Image ForwardReader::decodeAll(int height, int width) {
  if (next_ > 0) rewind();
  next_ = 0;
  Image image = allocate(*file_, info_.channels, height, width, info_.type);
  for (int y = 0; y < height; ++y) decodeInto(image, y, height);
  return image;
}

void ForwardReader::readRows(int channel, int firstRow, MutablePlane dst) {
  const std::int64_t planeBytes = (dst.width * static_cast<std::int64_t>(sizeOf(info_.type)) + 63) / 64 * 64;
  const std::int64_t rowBytes = planeBytes * info_.channels;
  // The channels of a band are asked for one after another: it has to stay. So has what is asked for again.
  std::int64_t rows = std::max<std::int64_t>(cacheBytes_ / rowBytes, dst.height);
  const bool again = firstRow < next_ - kept_.height();
  if (again && next_ - firstRow <= mostBytes_ / rowBytes)
    rows = std::max<std::int64_t>(rows, next_ - firstRow);
  rows = std::min<std::int64_t>(rows, info_.height);
  const bool grows = kept_.height() < dst.height || (again && kept_.height() < rows);
  if (grows) kept_ = allocate(*file_, info_.channels, static_cast<int>(rows), info_.width, info_.type);
  if ((grows || again) && next_ > 0) {
    rewind();
    next_ = 0;
  }
  for (int i = 0; i < dst.height; ++i) {
    const int y = firstRow + i;
    while (next_ <= y) decodeInto(kept_, next_ % kept_.height(), info_.height);
    std::memcpy(dst.row(i), std::as_const(kept_).plane(channel).row(y % kept_.height()),
                static_cast<std::size_t>(dst.width) * sizeOf(info_.type));
  }
}

}  // namespace bankside::codec
