#include "core/imageio/image_raster.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace bankside::codec {
namespace {

constexpr std::int64_t chunkBytes = std::int64_t{1} << 20;

class RasterReader final : public PageDecoder {
 public:
  RasterReader(FilePointer file, ImageInfo info, const RasterLayout& layout)
      : file_(std::move(file)), layout_(layout) {
    info_ = std::move(info);
    elementBytes_ = static_cast<std::int64_t>(sizeOf(info_.type));
    rowMajor_ = rowBytes() == info_.width * layout_.columnStep;
    interleaved_ = layout_.columnStep == info_.channels * elementBytes_;
  }

  // Rows that run down the file column by column cannot be had one by one.
  bool streams() const override { return rowMajor_; }

  Image readAll() override {
    Image image = allocate(*file_, info_.channels, info_.height, info_.width, info_.type);
    if (!streams()) {
      readColumnMajor(image);
      return image;
    }
    std::vector<MutablePlane> planes;
    for (int c = 0; c < info_.channels; ++c) planes.push_back(image.plane(c));
    if (interleaved_) {
      readInterleaved(0, planes);
    } else {
      for (int c = 0; c < info_.channels; ++c) readPlane(c, 0, planes[static_cast<std::size_t>(c)]);
    }
    return image;
  }

  void readRows(int channel, int firstRow, MutablePlane dst) override {
    if (!interleaved_ || info_.channels == 1) return readPlane(channel, firstRow, dst);
    for (int i = 0; i < dst.height; ++i) copyFromChunk(channel, firstRow + i, dst.row(i));
  }

 private:
  std::int64_t rowBytes() const { return std::abs(layout_.rowStep); }
  int rowsPerChunk() const {
    return static_cast<int>(std::clamp<std::int64_t>(chunkBytes / rowBytes(), 1, info_.height));
  }

  /// Fills chunk_ with `rows` rows from `firstRow` on, elements in this machine's order; `base` is the file
  /// offset of row 0. Returns the chunk's row.
  void loadChunk(std::int64_t base, int firstRow, int rows) {
    const int lowest = layout_.rowStep < 0 ? firstRow + rows - 1 : firstRow;
    chunk_.resize(static_cast<std::size_t>(rowBytes() * rows));
    file_->read(base + lowest * layout_.rowStep, chunk_.data(), chunk_.size());
    if (layout_.swapped) {
      swapBytes(chunk_.data(), chunk_.size() / static_cast<std::size_t>(elementBytes_),
                static_cast<std::size_t>(elementBytes_));
    }
    chunkFirst_ = firstRow;
    chunkRows_ = rows;
  }
  const std::byte* chunkRow(int y) const {
    const int index = layout_.rowStep < 0 ? chunkFirst_ + chunkRows_ - 1 - y : y - chunkFirst_;
    return chunk_.data() + index * rowBytes();
  }

  void readPlane(int channel, int firstRow, MutablePlane dst) {
    const std::size_t bytes = static_cast<std::size_t>(info_.width * elementBytes_);
    for (int done = 0; done < dst.height;) {
      const int rows = std::min(rowsPerChunk(), dst.height - done);
      loadChunk(layout_.offset + channel * layout_.channelStep, firstRow + done, rows);
      for (int i = 0; i < rows; ++i) std::memcpy(dst.row(done + i), chunkRow(firstRow + done + i), bytes);
      done += rows;
    }
    chunkRows_ = 0;
  }

  void readInterleaved(int firstRow, std::vector<MutablePlane>& planes) {
    std::vector<std::byte*> rows(planes.size());
    const int height = planes.front().height;
    for (int y = 0; y < height; ++y) {
      loadChunkAround(firstRow + y);
      for (std::size_t c = 0; c < planes.size(); ++c) rows[c] = planes[c].row(y);
      deinterleave(chunkRow(firstRow + y), info_.channels, info_.width,
                   static_cast<std::size_t>(elementBytes_), rows.data());
    }
  }

  /// The channels of a band are asked for one after another: the chunk stays.
  void copyFromChunk(int channel, int y, std::byte* dst) {
    loadChunkAround(y);
    const std::byte* from = chunkRow(y) + channel * elementBytes_;
    for (int x = 0; x < info_.width; ++x, from += layout_.columnStep, dst += elementBytes_) {
      std::memcpy(dst, from, static_cast<std::size_t>(elementBytes_));
    }
  }
  void loadChunkAround(int y) {
    if (y >= chunkFirst_ && y < chunkFirst_ + chunkRows_) return;
    loadChunk(layout_.offset, y, std::min(rowsPerChunk(), info_.height - y));
  }

  /// Fortran order, rare: the whole array once more in memory, then pixel by pixel.
  void readColumnMajor(Image& image) {
    const std::size_t bytes = static_cast<std::size_t>(elementBytes_) *
                              static_cast<std::size_t>(info_.channels) *
                              static_cast<std::size_t>(info_.height) * static_cast<std::size_t>(info_.width);
    std::vector<std::byte> all(bytes);
    file_->read(layout_.offset, all.data(), bytes);
    const auto size = static_cast<std::size_t>(elementBytes_);
    if (layout_.swapped) swapBytes(all.data(), bytes / size, size);
    for (int c = 0; c < info_.channels; ++c) {
      const MutablePlane plane = image.plane(c);
      for (int y = 0; y < info_.height; ++y) {
        const std::byte* from = all.data() + c * layout_.channelStep + y * layout_.rowStep;
        std::byte* to = plane.row(y);
        for (int x = 0; x < info_.width; ++x, from += layout_.columnStep, to += size)
          std::memcpy(to, from, size);
      }
    }
  }

  FilePointer file_;
  RasterLayout layout_;
  std::int64_t elementBytes_ = 1;
  bool rowMajor_ = true;
  bool interleaved_ = false;
  std::vector<std::byte> chunk_;
  int chunkFirst_ = 0;
  int chunkRows_ = 0;
};

}  // namespace

bool isLittleEndianMachine() { return std::endian::native == std::endian::little; }

RasterLayout planarLayout(std::int64_t offset, int height, int width, std::size_t elementBytes) {
  const auto element = static_cast<std::int64_t>(elementBytes);
  return {.offset = offset,
          .channelStep = element * width * height,
          .rowStep = element * width,
          .columnStep = element};
}

RasterLayout interleavedLayout(std::int64_t offset, int channels, int width, std::size_t elementBytes) {
  const auto element = static_cast<std::int64_t>(elementBytes);
  return {.offset = offset,
          .channelStep = element,
          .rowStep = element * width * channels,
          .columnStep = element * channels};
}

DecoderPointer openRaster(FilePointer file, ImageInfo info, const RasterLayout& layout,
                          const PageLimits& limits) {
  requireWithinLimits(*file, info.channels, info.height, info.width, info.type, limits);
  const std::int64_t bytes = static_cast<std::int64_t>(info.height) * info.width * info.channels *
                             static_cast<std::int64_t>(sizeOf(info.type));
  const std::int64_t start = layout.offset + std::min<std::int64_t>(0, layout.rowStep * (info.height - 1));
  file->requireBytes(start, bytes);
  return std::make_unique<RasterReader>(std::move(file), std::move(info), layout);
}

}  // namespace bankside::codec
