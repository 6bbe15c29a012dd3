/// The eight ways in which TIFF and EXIF say that a picture was stored. Internal to core/.
#pragma once

#include <cstddef>

#include "core/imageio/image_codec.h"

namespace bankside::codec {

/// 1 to 8, the tag's own numbers; 1 is upright.
/// Source  TIFF 6.0, tag 274; EXIF 2.3, 4.6.4 A
bool swapsSides(int orientation);

/// The picture upright. 1 returns it as it is.
Image applyOrientation(const ReadableFile& file, Image image, int orientation);

/// Turns the shape of `info` as the pixels will be and notes it ("EXIF orientation 6 applied").
void noteOrientation(ImageInfo& info, int orientation, const char* origin);

/// The orientation in the payload of a JPEG's APP1 segment ("Exif\0\0", then a small TIFF); 1 if it names
/// none or nonsense, for an unreadable remark does not make a picture unreadable.
int exifOrientation(const unsigned char* payload, std::size_t size);

}  // namespace bankside::codec
