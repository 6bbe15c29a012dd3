/// Where the pages of a TIFF begin. Internal to core/.
#pragma once

#include <cstdint>
#include <vector>

#include "core/imageio/readable_file.h"

namespace bankside::codec {

/// The offset of every page's directory, each looked at once. libtiff walks from the first to the one that is
/// asked for, so that opening all takes a time that grows with the square of their number.
/// Errors  Error{BadInput} if they run in a circle or leave the file
std::vector<std::int64_t> tiffPages(const ReadableFile& file);

/// The place in the file's head that says where the first directory is.
struct TiffLink {
  std::int64_t offset = 4;
  std::int64_t bytes = 4;
  bool littleEndian = true;
};
TiffLink firstTiffLink(const ReadableFile& file);

}  // namespace bankside::codec
