/// Pixels that lie in a file as they are: the common part of raw PGM/PPM, PFM and NPY. Internal to core/.
#pragma once

#include "core/imageio/image_codec.h"

namespace bankside::codec {

/// Pixel (channel, y, x) starts at offset + channel * channelStep + y * rowStep + x * columnStep.
struct RasterLayout {
  std::int64_t offset = 0;
  std::int64_t channelStep = 0;
  std::int64_t rowStep = 0;  // negative where the bottom row comes first
  std::int64_t columnStep = 0;
  bool swapped = false;  // elements in the other byte order than this machine's
};

bool isLittleEndianMachine();

/// Planes one after another, rows from the top.
RasterLayout planarLayout(std::int64_t offset, int height, int width, std::size_t elementBytes);
/// The channels of a pixel side by side.
RasterLayout interleavedLayout(std::int64_t offset, int channels, int width, std::size_t elementBytes);

/// Checks limits and that the file is long enough. `info` is complete; its shape and type are those of the
/// layout.
DecoderPointer openRaster(FilePointer file, ImageInfo info, const RasterLayout& layout,
                          const PageLimits& limits);

}  // namespace bankside::codec
