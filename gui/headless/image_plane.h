/// One plane of an image file, as `--channel` chooses it.
#pragma once

#include <string>

#include "core/image.h"
#include "core/run/channel.h"

namespace bankside::headless {

/// Shapes  [1,H,W] of the file's type. Errors  as readImage and selectChannels
Image planeOfFile(const std::string& file, ChannelChoice channel);

}  // namespace bankside::headless
