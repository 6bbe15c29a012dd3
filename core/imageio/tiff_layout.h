/// What a TIFF page holds and how it is cut up, checked. Internal to core/.
#pragma once

#include "core/imageio/image_codec.h"
#include "core/imageio/palette.h"
#include "core/imageio/tiff_file.h"

namespace bankside::codec {

struct TiffLayout {
  int width = 0;  // as stored
  int height = 0;
  int samples = 1;        // stored samples of a pixel
  int bits = 8;           // of a sample
  bool separate = false;  // planes one after another, each with its own blocks
  bool inverted = false;  // white is zero
  int orientation = 1;
  std::uint16_t compression = 1;  // libtiff's number; 1 is none
  bool plainBytes = false;        // uncompressed bytes that need no turning of bits
  bool tiled = false;
  int blockWidth = 0;   // of a tile; of a strip the width of the image
  int blockHeight = 0;  // the last block may be cut by the image's edge
  std::int64_t blockRowBytes = 0;
  std::int64_t blockBytes = 0;
  Palette palette;  // empty where there is none

  /// Samples in one block: all of a pixel, or one where planes are separate.
  int samplesPerBlock() const { return separate ? 1 : samples; }
  int groups() const { return separate ? samples : 1; }
};

/// Reads the tags of the current page; fills `info` but for its pages.
/// Errors  Error{Unsupported} for valid kinds that are not read, with their name · Error{BadInput} ·
/// Error{Limit}
TiffLayout readTiffLayout(const ReadableFile& file, TiffFile& tiff, const PageLimits& limits,
                          ImageInfo& info);

}  // namespace bankside::codec
