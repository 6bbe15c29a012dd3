#include "core/imageio/tiff_layout.h"

#include <tiffio.h>

#include "core/imageio/orientation.h"

#include <algorithm>

namespace bankside::codec {
namespace {

template <class T>
T field(TIFF* tiff, std::uint32_t tag, T absent) {
  T value = absent;
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : absent;
}

[[noreturn]] void refuse(const ReadableFile& file, const std::string& what) {
  file.fail(ErrorCode::Unsupported, "is a TIFF of " + what + ", which is not read here; convert it to 8 or " +
                                        "16 bit or 32-bit float, grey or RGB");
}

ElementType elementType(const ReadableFile& file, int bits, int format) {
  const std::string width = std::to_string(bits) + "-bit ";
  switch (format) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID:
      if (bits == 1 || bits == 2 || bits == 4 || bits == 8) return ElementType::U8;
      if (bits == 16) return ElementType::U16;
      refuse(file, width + "unsigned integers");
    case SAMPLEFORMAT_IEEEFP:
      if (bits == 16) return ElementType::F16;
      if (bits == 32) return ElementType::F32;
      refuse(file, width + "floating point");
    case SAMPLEFORMAT_INT: refuse(file, width + "signed integers");
    case SAMPLEFORMAT_COMPLEXINT:
    case SAMPLEFORMAT_COMPLEXIEEEFP: refuse(file, width + "complex numbers");
    default: file.damaged("is damaged: sample format " + std::to_string(format) + " does not exist");
  }
}

const char* colourModelName(int photometric) {
  switch (photometric) {
    case PHOTOMETRIC_MASK: return "a transparency mask";
    case PHOTOMETRIC_SEPARATED: return "CMYK or other inks";
    case PHOTOMETRIC_YCBCR: return "YCbCr pixels that are not JPEG";
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
    case PHOTOMETRIC_ITULAB: return "CIE Lab colours";
    case PHOTOMETRIC_CFA: return "raw sensor (colour filter array) pixels";
    case PHOTOMETRIC_LOGL:
    case PHOTOMETRIC_LOGLUV: return "LogLuv pixels";
    default: return "an unknown colour model";
  }
}

/// Names the channels by the colour model and the extra samples.
void describeChannels(const ReadableFile& file, TIFF* tiff, int photometric, const TiffLayout& layout,
                      ImageInfo& info) {
  if (!layout.palette.colours.empty()) {
    info.channels = 3;
    info.channelNames = colourNames(3, false);
    return;
  }
  const int colours = photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_YCBCR ? 3 : 1;
  if (layout.samples < colours) {
    file.damaged("is damaged: RGB with " + std::to_string(layout.samples) + " samples a pixel");
  }
  std::uint16_t extraCount = 0;
  const std::uint16_t* extras = nullptr;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extraCount, &extras);
  const std::uint16_t firstExtra = extraCount > 0 && extras != nullptr ? extras[0] : EXTRASAMPLE_UNSPECIFIED;
  const bool alpha = layout.samples > colours && firstExtra != EXTRASAMPLE_UNSPECIFIED;
  info.channels = layout.samples;
  info.channelNames = numberedNames(layout.samples);
  // A grey plane with nameless companions is a stack of channels, of which the first is no greyer than
  // others.
  if (colours == 3 || alpha || layout.samples == 1) {
    const std::vector<std::string> names = colourNames(colours, alpha);
    std::copy(names.begin(), names.end(), info.channelNames.begin());
  }
  if (alpha && firstExtra == EXTRASAMPLE_ASSOCALPHA)
    info.notes.push_back("colours are premultiplied by alpha");
}

Palette readPalette(const ReadableFile& file, TIFF* tiff, int bits) {
  std::uint16_t* red = nullptr;
  std::uint16_t* green = nullptr;
  std::uint16_t* blue = nullptr;
  if (TIFFGetField(tiff, TIFFTAG_COLORMAP, &red, &green, &blue) != 1) file.damaged("is damaged: no palette");
  const int count = 1 << bits;
  // Colours are 16 bit; writers that put 8-bit ones there are common enough to be recognised.
  bool wide = false;
  for (int i = 0; i < count; ++i) wide = wide || red[i] > 255 || green[i] > 255 || blue[i] > 255;
  const auto narrow = [wide](std::uint16_t v) { return static_cast<std::uint8_t>(wide ? v >> 8 : v); };
  Palette palette;
  for (int i = 0; i < count; ++i)
    palette.colours.push_back({narrow(red[i]), narrow(green[i]), narrow(blue[i]), 255});
  return palette;
}

void readBlocks(const ReadableFile& file, TIFF* tiff, const PageLimits& limits, TiffLayout& layout) {
  layout.tiled = TIFFIsTiled(tiff) != 0;
  std::uint64_t blockBytes = 0;
  std::uint64_t rowBytes = 0;
  if (layout.tiled) {
    const auto width = field<std::uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0);
    const auto height = field<std::uint32_t>(tiff, TIFFTAG_TILELENGTH, 0);
    if (width < 1 || height < 1 || width > INT32_MAX || height > INT32_MAX)
      file.damaged("has tiles of no size");
    layout.blockWidth = static_cast<int>(width);
    layout.blockHeight = static_cast<int>(height);
    rowBytes = TIFFTileRowSize64(tiff);
    blockBytes = TIFFTileSize64(tiff);
  } else {
    const auto rows = field<std::uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP, UINT32_MAX);
    if (rows < 1) file.damaged("has strips of no rows");
    layout.blockWidth = layout.width;
    layout.blockHeight =
        static_cast<int>(std::min<std::uint32_t>(rows, static_cast<std::uint32_t>(layout.height)));
    rowBytes = TIFFScanlineSize64(tiff);
    blockBytes = TIFFVStripSize64(tiff, static_cast<std::uint32_t>(layout.blockHeight));
  }
  const std::int64_t expected =
      (static_cast<std::int64_t>(layout.blockWidth) * layout.samplesPerBlock() * layout.bits + 7) / 8;
  if (static_cast<std::int64_t>(rowBytes) != expected ||
      blockBytes / rowBytes != static_cast<std::uint64_t>(layout.blockHeight)) {
    file.damaged("is damaged: its strips or tiles have an impossible size");
  }
  // Uncompressed strips are read row by row, however large.
  const bool inParts = layout.plainBytes && !layout.tiled;
  if (!inParts && blockBytes > static_cast<std::uint64_t>(limits.maxBytes)) {
    file.fail(ErrorCode::Limit, "has strips or tiles of " + std::to_string(blockBytes) +
                                    " bytes, the limit is " + std::to_string(limits.maxBytes) +
                                    "; bankside filter --memory allows more");
  }
  layout.blockRowBytes = static_cast<std::int64_t>(rowBytes);
  layout.blockBytes = static_cast<std::int64_t>(blockBytes);
}

}  // namespace

TiffLayout readTiffLayout(const ReadableFile& file, TiffFile& tiff, const PageLimits& limits,
                          ImageInfo& info) {
  TiffLayout layout;
  layout.bits = field<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  layout.samples = field<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  layout.compression = field<std::uint16_t>(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  layout.separate = layout.samples > 1 && field<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG,
                                                               PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
  const int photometric = field<std::uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  const int orientation = field<std::uint16_t>(tiff, TIFFTAG_ORIENTATION, 1);
  layout.orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
  info.format = TIFFIsBigTIFF(tiff) != 0 ? "BigTIFF" : "TIFF";

  if (TIFFIsCODECConfigured(layout.compression) == 0) {
    refuse(file, "compression " + std::to_string(layout.compression));
  }
  if (layout.compression == COMPRESSION_OJPEG) refuse(file, "old-style JPEG compression");
  const bool jpeg = layout.compression == COMPRESSION_JPEG;
  const bool known = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE ||
                     photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_PALETTE ||
                     (photometric == PHOTOMETRIC_YCBCR && jpeg && !layout.separate);
  if (!known) refuse(file, colourModelName(photometric));
  info.type =
      elementType(file, layout.bits, field<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT));
  const bool isFloat = info.type == ElementType::F16 || info.type == ElementType::F32;
  layout.inverted = photometric == PHOTOMETRIC_MINISWHITE;
  if (layout.inverted && isFloat) refuse(file, "floating point in which white is zero");
  if (layout.inverted && layout.samples > 1) refuse(file, "several samples a pixel in which white is zero");
  if (layout.bits < 8 && layout.samplesPerBlock() > 1) {
    refuse(file, std::to_string(layout.samples) + " interleaved samples of " + std::to_string(layout.bits) +
                     " bits");
  }
  if (photometric == PHOTOMETRIC_PALETTE) {
    if (layout.bits > 8 || layout.samples > 1 || isFloat) refuse(file, "palette colours beyond 8 bit");
    layout.palette = readPalette(file, tiff, layout.bits);
    info.notes.push_back("palette expanded to RGB");
  } else if (layout.bits < 8) {
    info.notes.push_back(std::to_string(layout.bits) + "-bit pixels expanded to 0..255");
  }
  if (layout.inverted) info.notes.push_back("white-is-zero inverted");
  describeChannels(file, tiff, photometric, layout, info);

  const auto width = field<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0);
  const auto height = field<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0);
  requireWithinLimits(file, info.channels, height, width, info.type, limits);
  layout.width = info.width = static_cast<int>(width);
  layout.height = info.height = static_cast<int>(height);

  // libtiff turns JPEG's YCbCr into RGB itself; sizes must be asked for after this.
  if (jpeg && photometric == PHOTOMETRIC_YCBCR) TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  layout.plainBytes = layout.compression == COMPRESSION_NONE && layout.bits >= 8 &&
                      field<std::uint16_t>(tiff, TIFFTAG_FILLORDER, FILLORDER_MSB2LSB) == FILLORDER_MSB2LSB;
  readBlocks(file, tiff, limits, layout);
  if (layout.compression == COMPRESSION_NONE) {
    file.requireBytes(0, (static_cast<std::int64_t>(width) * layout.samples * layout.bits + 7) / 8 * height);
  }
  noteOrientation(info, layout.orientation, "TIFF");
  tiff.check(ErrorCode::BadInput, "TIFF data is damaged");
  return layout;
}

}  // namespace bankside::codec
