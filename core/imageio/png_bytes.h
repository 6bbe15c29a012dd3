/// PNG in memory, for files of other kinds that hold pictures.
#pragma once

#include <string>

#include "core/image.h"

namespace bankside {

/// A small u8 or u16 image of 1 to 4 channels as a PNG file would hold it.
std::string pngBytes(const Image& image);

}  // namespace bankside
