/// What a page of a file holds, what it may ask for, and the formats that are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/element_type.h"

namespace bankside {

/// What a file may ask for.
struct ImageLimits {
  int maxSide = 1'000'000;                           ///< pixels of one side
  std::int64_t maxPixels = std::int64_t{1} << 32;    ///< of a page, each counted once whatever its channels
  std::int64_t maxBytes = std::int64_t{8} << 30;     ///< memory of one decoded page (rows of 64 bytes and up)
  std::int64_t cacheBytes = std::int64_t{64} << 20;  ///< decoded strips or tiles that a source keeps
};

/// What a page of a file holds, known without decoding it.
struct ImageInfo {
  std::string format;  ///< "PNG", "JPEG", "TIFF", "BigTIFF", "PBM", "PGM", "PPM", "PFM" or "NPY"
  int pages = 1;
  int channels = 1;
  int height = 1;  ///< after orientation, as is the width
  int width = 1;
  ElementType type = ElementType::U8;
  std::vector<std::string>
      channelNames;                ///< "grey" or "red","green","blue", then "alpha"; else "channel0"...
  std::vector<std::string> notes;  ///< what reading changes, one clause each
};

/// What can be written.
enum class FileFormat { Tiff, Png, Npy, Pfm };

const char* toString(FileFormat format);  ///< "tiff", "png", "npy", "pfm"
std::optional<FileFormat> parseFileFormat(std::string_view text);
const char* extension(FileFormat format);  ///< without the dot

/// How the pixels of a file that is written are packed; they are read back as they were.
enum class Compression { None, Deflate, Zstd };

const char* toString(Compression compression);  ///< "none", "deflate", "zstd"
std::optional<Compression> parseCompression(std::string_view text);
/// TIFF takes all (zstd where libtiff has it), PNG none and deflate, NPY and PFM none.
bool takes(FileFormat format, Compression compression);
/// Where nothing else is asked for: deflate in a PNG, none elsewhere.
Compression usualCompression(FileFormat format);

}  // namespace bankside
