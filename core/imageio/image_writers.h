/// Writers that are a source of their own beside their format's reader. Internal to core/.
#pragma once

#include "core/imageio/image_codec.h"

namespace bankside::codec {

EncoderPointer createPng(AtomicFile& file, const PageShape& shape);
EncoderPointer createTiff(AtomicFile& file, const PageShape& shape);
/// Whether libtiff was built with it.
bool tiffHas(Compression compression);

}  // namespace bankside::codec
