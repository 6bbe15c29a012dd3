/// TIFF and BigTIFF through libtiff, in strips of about 256 KiB.
#include <tiffio.h>

#include <algorithm>

#include "core/imageio/image_writers.h"
#include "core/imageio/tiff_file.h"

namespace bankside::codec {
namespace {

constexpr std::int64_t stripBytes = std::int64_t{256} << 10;

/// Room for the tags and the table of strips beside the pixels, and for what compressors make of noise.
bool needsBigTiff(std::int64_t pixelBytes, std::int64_t strips) {
  return pixelBytes + pixelBytes / 512 + 16 * strips + (std::int64_t{1} << 20) > std::int64_t{UINT32_MAX};
}

int scheme(Compression compression) {
  switch (compression) {
    case Compression::None: break;
    case Compression::Deflate: return COMPRESSION_ADOBE_DEFLATE;
    case Compression::Zstd: return COMPRESSION_ZSTD;
  }
  return COMPRESSION_NONE;
}

/// What more costs and saves: docs/lab-notes/files.md.
constexpr int deflateLevel = 1;
constexpr int zstdLevel = 1;

class TiffWriter final : public PageEncoder {
 public:
  TiffWriter(AtomicFile& file, const PageShape& shape) : shape_(shape) {
    const std::vector<std::string>& names = shape.channelNames;
    const auto named = [&](int channel, const char* name) {
      return static_cast<int>(names.size()) > channel && names[static_cast<std::size_t>(channel)] == name;
    };
    const bool rgb = shape.channels >= 3 && ((names.empty() && shape.channels == 3) ||
                                             (named(0, "red") && named(1, "green") && named(2, "blue")));
    const int colours = rgb ? 3 : 1;
    const bool alpha = named(colours, "alpha");
    // Colour as every viewer expects it; other channels in planes, each readable without the others.
    separate_ = shape.channels > colours + (alpha ? 1 : 0);
    const std::int64_t channelsPerStrip = separate_ ? 1 : shape.channels;
    rowBytes_ = shape.width * channelsPerStrip * static_cast<std::int64_t>(sizeOf(shape.type));
    rowsPerStrip_ = static_cast<int>(std::clamp<std::int64_t>(stripBytes / rowBytes_, 1, shape.height));
    stripsPerPlane_ = (shape.height + rowsPerStrip_ - 1) / rowsPerStrip_;
    pending_.resize(separate_ ? static_cast<std::size_t>(shape.channels) : 1);
    const auto planes = static_cast<std::int64_t>(pending_.size());
    tiff_ = std::make_unique<TiffFile>(
        file, needsBigTiff(rowBytes_ * shape.height * planes, stripsPerPlane_ * planes));
    setTags(rgb, shape.channels - colours, alpha);
  }

  void putRows(std::span<const ConstPlane> channels) override {
    if (separate_) {
      for (std::size_t c = 0; c < channels.size(); ++c) append(c, channels.subspan(c, 1));
    } else {
      append(0, channels);
    }
  }

  void finish() override {
    if (TIFFWriteDirectory(*tiff_) != 1) fail();
    tiff_->check(ErrorCode::Io, "cannot write the TIFF");
  }

 private:
  struct Pending {
    std::vector<std::byte> bytes;  // of the strip that is being filled
    int strips = 0;                // already written
    int rows = 0;                  // already taken
  };

  [[noreturn]] void fail() { tiff_->fail(ErrorCode::Io, "cannot write the TIFF"); }

  template <class T>
  void set(std::uint32_t tag, T value) {
    if (TIFFSetField(*tiff_, tag, value) != 1) fail();
  }

  void setTags(bool rgb, int extraCount, bool alpha) {
    const bool isFloat = shape_.type == ElementType::F16 || shape_.type == ElementType::F32;
    set(TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(shape_.width));
    set(TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(shape_.height));
    set(TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * sizeOf(shape_.type)));
    set(TIFFTAG_SAMPLESPERPIXEL, shape_.channels);
    set(TIFFTAG_SAMPLEFORMAT, isFloat ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    set(TIFFTAG_PHOTOMETRIC, rgb ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    set(TIFFTAG_PLANARCONFIG, separate_ ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    setCompression(shape_.compression.value_or(tiffFormat.usual), isFloat);
    set(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    set(TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(rowsPerStrip_));
    if (extraCount > 0) {
      std::vector<std::uint16_t> extras(static_cast<std::size_t>(extraCount), EXTRASAMPLE_UNSPECIFIED);
      if (alpha) extras[0] = EXTRASAMPLE_UNASSALPHA;
      if (TIFFSetField(*tiff_, TIFFTAG_EXTRASAMPLES, extraCount, extras.data()) != 1) fail();
    }
  }

  void setCompression(Compression compression, bool isFloat) {
    set(TIFFTAG_COMPRESSION, scheme(compression));
    if (compression == Compression::None) return;
    set(TIFFTAG_PREDICTOR, isFloat ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    if (compression == Compression::Deflate) set(TIFFTAG_ZIPQUALITY, deflateLevel);
    if (compression == Compression::Zstd) set(TIFFTAG_ZSTD_LEVEL, zstdLevel);
  }

  /// Rows of one plane, or of all channels interleaved.
  void append(std::size_t plane, std::span<const ConstPlane> channels) {
    Pending& pending = pending_[plane];
    std::vector<const std::byte*> rows(channels.size());
    for (int y = 0; y < channels[0].height; ++y) {
      for (std::size_t c = 0; c < channels.size(); ++c) rows[c] = channels[c].row(y);
      const std::size_t at = pending.bytes.size();
      pending.bytes.resize(at + static_cast<std::size_t>(rowBytes_));
      interleave(rows.data(), static_cast<int>(channels.size()), shape_.width, sizeOf(shape_.type),
                 pending.bytes.data() + at);
      ++pending.rows;
      if (pending.rows % rowsPerStrip_ == 0 || pending.rows == shape_.height) writeStrip(plane, pending);
    }
  }

  void writeStrip(std::size_t plane, Pending& pending) {
    const auto strip =
        static_cast<std::uint32_t>(static_cast<std::int64_t>(plane) * stripsPerPlane_ + pending.strips);
    const auto size = static_cast<tmsize_t>(pending.bytes.size());
    if (TIFFWriteEncodedStrip(*tiff_, strip, pending.bytes.data(), size) != size) fail();
    ++pending.strips;
    pending.bytes.clear();
  }

  PageShape shape_;
  bool separate_ = false;
  std::int64_t rowBytes_ = 0;
  int rowsPerStrip_ = 1;
  std::int64_t stripsPerPlane_ = 1;
  std::vector<Pending> pending_;
  std::unique_ptr<TiffFile> tiff_;
};

}  // namespace

bool tiffHas(Compression compression) {
  return TIFFIsCODECConfigured(static_cast<std::uint16_t>(scheme(compression))) != 0;
}

EncoderPointer createTiff(AtomicFile& file, const PageShape& shape) {
  return std::make_unique<TiffWriter>(file, shape);
}

}  // namespace bankside::codec
