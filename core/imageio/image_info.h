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
  std::string format;  ///< "PNG", "BigTIFF", "PGM" ...
  int pages = 1;
  int channels = 1;
  int height = 1;  ///< after orientation, as is the width
  int width = 1;
  ElementType type = ElementType::U8;
  std::vector<std::string>
      channelNames;                ///< "grey" or "red","green","blue", then "alpha"; else "channel0"...
  std::vector<std::string> notes;  ///< what reading changes, one clause each
};

/// What can be written: the rows of formats.def.
#define BANKSIDE_WRITTEN_FORMAT(name, word) name,
#define BANKSIDE_READ_FORMAT(word)
enum class FileFormat {
#include "core/imageio/formats.def"
};

const std::vector<FileFormat>& fileFormats();
const char* toString(FileFormat format);     ///< "tiff", "png" ...: also how names of files end
std::string_view nameOf(FileFormat format);  ///< "TIFF", "PNG" ...
std::optional<FileFormat> parseFileFormat(std::string_view text);
std::string fileFormatWords();  ///< "tiff, png ... or pfm"

/// How the pixels of a file that is written are packed; they are read back as they were.
enum class Compression { None, Deflate, Zstd };
inline constexpr Compression allCompressions[] = {Compression::None, Compression::Deflate, Compression::Zstd};

const char* toString(Compression compression);  ///< "none", "deflate", "zstd"
std::optional<Compression> parseCompression(std::string_view text);
/// All take none.
bool takes(FileFormat format, Compression compression);
std::string
compressionsTaken();  ///< "tiff takes none, deflate and zstd, png ... none": by all that are written
/// Where nothing else is asked for: deflate in a PNG, none elsewhere.
Compression usualCompression(FileFormat format);

}  // namespace bankside
