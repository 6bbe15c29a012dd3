/// Files for the image tests: bytes as they are, and pictures from the codec libraries themselves, so that
/// the readers are not only tested against our own writers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/imageio/image_io.h"
#include "tests/support/refusals.h"

namespace bankside::testing {

using Path = std::filesystem::path;

void writeBytes(const Path& path, std::string_view bytes);
std::string readBytes(const Path& path);

Refusal readRefusal(const Path& path, int page = 0, const ImageLimits& limits = {});

/// The pixels of a u8 plane row by row; the values of a u8, u16 or f32 plane as numbers.
std::vector<int> values(const Image& image, int channel = 0);

/// A picture whose bytes are all over the range: for floats any bits, NaN, infinities and denormals included.
Image anyBits(int channels, int height, int width, ElementType type, unsigned seed = 1);

/// Whether a file of that format gives back pixels of that type as they were.
bool keeps(FileFormat format, ElementType type);

struct TiffOptions {
  int width = 1, height = 1, samples = 1, bits = 8;
  int format = 1;       // SAMPLEFORMAT_UINT
  int photometric = 1;  // PHOTOMETRIC_MINISBLACK
  int compression = 1;  // COMPRESSION_NONE
  int predictor = 0;    // 0: none set
  bool separate = false;
  int tileWidth = 0, tileHeight = 0;  // 0: strips
  int rowsPerStrip = 0;               // 0: one strip
  int orientation = 0;                // 0: none set
  int extraSample = -1;               // -1: none set; else the type of every extra sample
  int extraCount = 0;
  bool jpegRgb = false;                // hand RGB to JPEG compression of YCbCr
  std::vector<std::uint16_t> palette;  // red, green and blue one after another
};
/// Writes one page; `sample(plane, y, x)` gives the stored sample's bits. `mode` as of TIFFOpen: "w", "w8",
/// "wb" (big-endian), "a" (one page more).
void writeTiff(const Path& path, const TiffOptions& options,
               const std::function<std::uint64_t(int plane, int y, int x)>& sample, const char* mode = "w");

struct PngOptions {
  int width = 1, height = 1, bits = 8;
  int colour = 0;  // PNG_COLOR_TYPE_GRAY
  bool interlaced = false;
  std::vector<std::uint8_t> palette;       // red, green, blue, red, ...
  std::vector<std::uint8_t> paletteAlpha;  // tRNS of a palette
  std::vector<int> transparent;            // tRNS key of grey (1) or RGB (3)
};
/// `sample(channel, y, x)` gives the stored sample.
void writePng(const Path& path, const PngOptions& options,
              const std::function<int(int channel, int y, int x)>& sample);

struct JpegOptions {
  int width = 8, height = 8;
  int components = 1;  // 1 grey, 3 RGB, 4 CMYK
  bool ycck = false;
  bool progressive = false;
  int quality = 95;
  std::string exif;  // APP1 payload
};
void writeJpeg(const Path& path, const JpegOptions& options,
               const std::function<int(int channel, int y, int x)>& sample);

/// An APP1 payload that says nothing but an orientation.
std::string exifWithOrientation(int orientation, bool bigEndian = false);

}  // namespace bankside::testing
