/// PNG: 8 and 16 bit, 1 to 4 channels. Ours from the rows to the file; libpng is the judge of what comes out.
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <string_view>

#include "core/imageio/deflate.h"
#include "core/imageio/image_writers.h"
#include "core/imageio/png_bytes.h"
#include "core/imageio/png_rows.h"

namespace bankside::codec {
namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";

/// What the stream begins with (RFC 1950): deflate, distances within 32 KiB.
constexpr std::byte zlibHeader[] = {std::byte{0x78}, std::byte{0x01}};

void appendNumber(std::vector<std::byte>& bytes, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(number >> shift & 255));
}

class PngWriter final : public PageEncoder {
 public:
  using Put = std::function<void(std::string_view bytes)>;

  PngWriter(Put put, const PageShape& shape)
      : put_(std::move(put)),
        shape_(shape),
        filter_(compresses(shape) ? paethFilter : noFilter),
        deflater_(compresses(shape)),
        pixelBytes_(static_cast<std::size_t>(shape.channels) * sizeOf(shape.type)),
        rowBytes_(static_cast<std::size_t>(shape.width) * pixelBytes_),
        above_(pixelBytes_ + rowBytes_),
        row_(pixelBytes_ + rowBytes_) {
    pending_.reserve(Deflater::largestBlock + 1 + rowBytes_);
    put_(signature);
    writeHeader();
    beginChunk("IDAT");
    append(zlibHeader);
  }

  void putRows(std::span<const ConstPlane> channels) override {
    std::vector<const std::byte*> rows(channels.size());
    for (int y = 0; y < channels[0].height; ++y) {
      for (std::size_t c = 0; c < channels.size(); ++c) rows[c] = channels[c].row(y);
      std::byte* row = row_.data() + pixelBytes_;
      interleave(rows.data(), shape_.channels, shape_.width, sizeOf(shape_.type), row);
      if constexpr (std::endian::native == std::endian::little)
        swapBytes(row, rowBytes_ / sizeOf(shape_.type), sizeOf(shape_.type));
      addRow();
      std::swap(above_, row_);
    }
  }

  void finish() override {
    writeBlock(pending_, true);
    beginChunk("IEND");
    endChunk();
  }

 private:
  static constexpr std::byte noFilter{0};

  static bool compresses(const PageShape& shape) {
    return shape.compression.value_or(pngFormat.usual) != Compression::None;
  }

  void beginChunk(std::string_view type) {
    chunk_.assign(4, std::byte{0});  // its length, later
    append(std::as_bytes(std::span(type)));
  }
  void append(std::span<const std::byte> bytes) { chunk_.insert(chunk_.end(), bytes.begin(), bytes.end()); }
  void endChunk() {
    const auto length = static_cast<std::uint32_t>(chunk_.size() - 8);
    for (int i = 0; i < 4; ++i)
      chunk_[static_cast<std::size_t>(i)] = static_cast<std::byte>(length >> (24 - 8 * i));
    const auto* checked = reinterpret_cast<const Bytef*>(chunk_.data() + 4);
    appendNumber(chunk_, static_cast<std::uint32_t>(crc32_z(0, checked, chunk_.size() - 4)));
    put_({reinterpret_cast<const char*>(chunk_.data()), chunk_.size()});
  }

  void writeHeader() {
    static constexpr std::byte colours[] = {std::byte{0}, std::byte{4}, std::byte{2}, std::byte{6}};
    beginChunk("IHDR");
    appendNumber(chunk_, static_cast<std::uint32_t>(shape_.width));
    appendNumber(chunk_, static_cast<std::uint32_t>(shape_.height));
    chunk_.push_back(static_cast<std::byte>(8 * sizeOf(shape_.type)));
    chunk_.push_back(colours[shape_.channels - 1]);
    chunk_.insert(chunk_.end(), 3, std::byte{0});  // deflate, the five filters, not interlaced
    endChunk();
  }

  /// Whole blocks of what the filter leaves go to the file: where they end is no matter of rows.
  void addRow() {
    const std::size_t at = pending_.size();
    pending_.resize(at + 1 + rowBytes_);
    pending_[at] = filter_;
    const std::span<std::byte> left(pending_.data() + at + 1, rowBytes_);
    if (filter_ == noFilter) {
      std::copy_n(row_.data() + pixelBytes_, rowBytes_, left.data());
    } else {
      predictRow(row_.data(), above_.data(), pixelBytes_, left);
    }
    std::size_t written = 0;
    for (; pending_.size() - written > Deflater::largestBlock; written += Deflater::largestBlock)
      writeBlock({pending_.data() + written, Deflater::largestBlock}, false);
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(written));
  }

  void writeBlock(std::span<const std::byte> bytes, bool last) {
    sum_ = static_cast<std::uint32_t>(
        adler32_z(sum_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    append(deflater_.block(bytes, last));
    if (last) appendNumber(chunk_, sum_);
    endChunk();
    if (!last) beginChunk("IDAT");
  }

  Put put_;
  PageShape shape_;
  std::byte filter_;
  Deflater deflater_;
  std::size_t pixelBytes_;
  std::size_t rowBytes_;
  std::vector<std::byte> above_;  // rows in the file's byte order, behind a pixel of zeros
  std::vector<std::byte> row_;
  std::vector<std::byte> pending_;  // filtered rows that fill no block yet
  std::vector<std::byte> chunk_;
  std::uint32_t sum_ = 1;  // of all filtered bytes
};

}  // namespace

EncoderPointer createPng(AtomicFile& file, const PageShape& shape) {
  return std::make_unique<PngWriter>([&file](std::string_view bytes) { file.write(bytes); }, shape);
}

}  // namespace bankside::codec

namespace bankside {

std::string pngBytes(const Image& image) {
  std::string bytes;
  codec::PngWriter writer(
      [&bytes](std::string_view more) { bytes += more; },
      {.channels = image.channels(), .height = image.height(), .width = image.width(), .type = image.type()});
  std::vector<ConstPlane> planes;
  for (int c = 0; c < image.channels(); ++c) planes.push_back(image.plane(c));
  writer.putRows(planes);
  writer.finish();
  return bytes;
}

}  // namespace bankside
