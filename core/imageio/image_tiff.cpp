/// TIFF and BigTIFF through libtiff: strips and tiles, every compression that it has, 1 to 16 bit, f16 and
/// f32.
///
/// Everything is decoded in bands: a row of tiles, a strip, or, of an uncompressed strip, about a megabyte. A
/// whole image is one band after another; a stream keeps the last few bands.
#include <tiffio.h>

#include <algorithm>
#include <cstring>
#include <list>

#include "core/imageio/image_writers.h"
#include "core/imageio/orientation.h"
#include "core/imageio/tiff_layout.h"
#include "core/imageio/tiff_pages.h"

namespace bankside::codec {
namespace {

constexpr std::int64_t partOfStrip = std::int64_t{1} << 20;

class TiffReader final : public PageDecoder {
 public:
  TiffReader(FilePointer file, std::int64_t directory, const PageLimits& limits)
      : file_(std::move(file)), tiff_(*file_, directory, limits.maxBytes), cacheBytes_(limits.cacheBytes) {
    tiff_.check(ErrorCode::BadInput, "TIFF data is damaged");
    layout_ = readTiffLayout(*file_, tiff_, limits, info_);
    inParts_ = layout_.plainBytes && !layout_.tiled && layout_.blockBytes > partOfStrip;
    bandHeight_ = inParts_ ? static_cast<int>(std::clamp<std::int64_t>(partOfStrip / layout_.blockRowBytes, 1,
                                                                       layout_.blockHeight))
                           : layout_.blockHeight;
    tiff_.warningsAreErrors();
  }

  bool streams() const override { return layout_.orientation == 1; }

  Image readAll() override {
    Image image = allocate(*file_, info_.channels, layout_.height, layout_.width, info_.type);
    for (int group = 0; group < layout_.groups(); ++group) {
      for (int y = 0; y < layout_.height;) {
        const Band band = bandAt(y);
        std::vector<MutablePlane> planes;
        for (int c = 0; c < channelsPerGroup(); ++c) {
          MutablePlane plane = image.plane(group + c);
          plane.data = plane.row(band.firstRow);
          plane.height = band.rows;
          planes.push_back(plane);
        }
        decode(band, group, planes);
        y = band.firstRow + band.rows;
      }
    }
    return applyOrientation(*file_, std::move(image), layout_.orientation);
  }

  void readRows(int channel, int firstRow, MutablePlane dst) override {
    const int group = layout_.separate ? channel : 0;
    const std::size_t rowBytes = static_cast<std::size_t>(info_.width) * sizeOf(info_.type);
    for (int i = 0; i < dst.height; ++i) {
      const CachedBand& cached = cachedBand(group, firstRow + i);
      const ConstPlane plane = cached.image.plane(layout_.separate ? 0 : channel);
      std::memcpy(dst.row(i), plane.row(firstRow + i - cached.band.firstRow), rowBytes);
    }
  }

 private:
  struct Band {
    int block = 0;       // strip or row of tiles, counted from the top
    int rowInBlock = 0;  // where the band starts in it; 0 unless strips are read in parts
    int firstRow = 0;
    int rows = 0;
  };
  struct CachedBand {
    int group = 0;
    Band band;
    Image image;
  };

  int channelsPerGroup() const { return layout_.separate ? 1 : info_.channels; }

  Band bandAt(int y) const {
    const int block = y / layout_.blockHeight;
    const int rowInBlock = y % layout_.blockHeight / bandHeight_ * bandHeight_;
    const int firstRow = block * layout_.blockHeight + rowInBlock;
    const int rows = std::min({bandHeight_, layout_.blockHeight - rowInBlock, layout_.height - firstRow});
    return {block, rowInBlock, firstRow, rows};
  }

  /// Rows are asked for in increasing order, channel by channel: the last bands are the ones to keep.
  const CachedBand& cachedBand(int group, int y) {
    const Band band = bandAt(y);
    for (auto it = cache_.begin(); it != cache_.end(); ++it) {
      if (it->group == group && it->band.firstRow == band.firstRow) {
        cache_.splice(cache_.begin(), cache_, it);
        return cache_.front();
      }
    }
    CachedBand fresh{group, band, allocate(*file_, channelsPerGroup(), band.rows, info_.width, info_.type)};
    std::vector<MutablePlane> planes;
    for (int c = 0; c < channelsPerGroup(); ++c) planes.push_back(fresh.image.plane(c));
    decode(band, group, planes);
    const std::int64_t bandBytes = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(channelsPerGroup()) * bandHeight_ * fresh.image.strideBytes());
    const auto most =
        static_cast<std::size_t>(std::max<std::int64_t>(layout_.groups() + 1, cacheBytes_ / bandBytes));
    while (cache_.size() >= most) cache_.pop_back();
    cache_.push_front(std::move(fresh));
    return cache_.front();
  }

  /// The band's rows of every channel of the group.
  void decode(const Band& band, int group, const std::vector<MutablePlane>& planes) {
    const int across = (layout_.width + layout_.blockWidth - 1) / layout_.blockWidth;
    for (int column = 0; column < across; ++column) {
      const int left = column * layout_.blockWidth;
      readBlock(band, group, left);
      const int width = std::min(layout_.blockWidth, layout_.width - left);
      for (int y = 0; y < band.rows; ++y)
        unpackRow(block_.data() + y * layout_.blockRowBytes, left, width, y, planes);
    }
  }

  /// Fills block_ with the rows of the band as libtiff gives them, samples in this machine's byte order.
  void readBlock(const Band& band, int group, int left) {
    const auto sample = static_cast<std::uint16_t>(group);
    const auto top = static_cast<std::uint32_t>(band.block * layout_.blockHeight);
    if (inParts_) return readPart(band, TIFFComputeStrip(tiff_, top, sample));
    tmsize_t expected = layout_.blockBytes;
    tmsize_t got = 0;
    block_.resize(static_cast<std::size_t>(layout_.blockBytes));
    if (layout_.tiled) {
      const std::uint32_t tile = TIFFComputeTile(tiff_, static_cast<std::uint32_t>(left), top, 0, sample);
      got = TIFFReadEncodedTile(tiff_, tile, block_.data(), -1);
    } else {
      expected = layout_.blockRowBytes * band.rows;
      got = TIFFReadEncodedStrip(tiff_, TIFFComputeStrip(tiff_, top, sample), block_.data(), expected);
    }
    tiff_.check(ErrorCode::BadInput, "TIFF data is damaged");
    if (got != expected) file_->damaged("TIFF data is damaged: a strip or tile has too few bytes");
  }

  /// Some rows of an uncompressed strip, straight from the file.
  void readPart(const Band& band, std::uint32_t strip) {
    const std::int64_t from = layout_.blockRowBytes * band.rowInBlock;
    const std::int64_t bytes = layout_.blockRowBytes * band.rows;
    const std::uint64_t stripOffset = TIFFGetStrileOffset(tiff_, strip);
    const std::uint64_t stripBytes = TIFFGetStrileByteCount(tiff_, strip);
    tiff_.check(ErrorCode::BadInput, "TIFF data is damaged");
    if (stripBytes < static_cast<std::uint64_t>(from + bytes) ||
        stripOffset > static_cast<std::uint64_t>(file_->size())) {
      file_->damaged("TIFF data is damaged: a strip has too few bytes");
    }
    block_.resize(static_cast<std::size_t>(bytes));
    file_->read(static_cast<std::int64_t>(stripOffset) + from, block_.data(), block_.size());
    const std::size_t element = static_cast<std::size_t>(layout_.bits) / 8;
    if (TIFFIsByteSwapped(tiff_) != 0) swapBytes(block_.data(), block_.size() / element, element);
  }

  void unpackRow(const std::byte* from, int left, int width, int y, const std::vector<MutablePlane>& planes) {
    const std::size_t element = sizeOf(info_.type);
    rows_.resize(planes.size());
    for (std::size_t c = 0; c < planes.size(); ++c) {
      rows_[c] = planes[c].row(y) + static_cast<std::size_t>(left) * element;
    }
    if (!layout_.palette.colours.empty()) {
      indices_.resize(static_cast<std::size_t>(width));
      if (layout_.bits == 8) {
        std::memcpy(indices_.data(), from, indices_.size());
      } else {
        unpackBits(from, layout_.bits, false, width, indices_.data());
      }
      expandPaletteRow(*file_, layout_.palette, indices_.data(), width, rows_.data());
    } else if (layout_.bits < 8) {
      unpackBits(from, layout_.bits, true, width, reinterpret_cast<std::uint8_t*>(rows_[0]));
    } else {
      deinterleave(from, channelsPerGroup(), width, element, rows_.data());
    }
    // Unsigned integers only: the largest value minus the pixel is every bit turned.
    if (layout_.inverted) {
      std::for_each(rows_[0], rows_[0] + static_cast<std::size_t>(width) * element,
                    [](std::byte& b) { b = ~b; });
    }
  }

  FilePointer file_;
  TiffFile tiff_;
  TiffLayout layout_;
  std::int64_t cacheBytes_;
  bool inParts_ = false;
  int bandHeight_ = 1;
  std::vector<std::byte> block_;
  std::vector<std::byte*> rows_;
  std::vector<std::uint8_t> indices_;
  std::list<CachedBand> cache_;
};

DecoderPointer openTiff(FilePointer file, std::int64_t directory, const PageLimits& limits) {
  return std::make_unique<TiffReader>(std::move(file), directory, limits);
}

std::string tiffRefusal(const PageShape& shape) {
  if (shape.channels <= 65535) return "";
  return "TIFF cannot hold " + std::to_string(shape.channels) + " channels; use npy, or one file a channel";
}

}  // namespace

using namespace std::string_view_literals;

const Format tiffFormat{.name = "TIFF",
                        .endings = {"tiff", "tif"},
                        .signatures = {"II\x2a\0"sv, "MM\0\x2a"sv, "II\x2b\0"sv, "MM\0\x2b"sv},
                        .open = openTiff,
                        .pages = tiffPages,
                        .create = createTiff,
                        .refusal = tiffRefusal,
                        .packs = tiffHas};

}  // namespace bankside::codec
