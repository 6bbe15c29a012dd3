#include "gui/headless/image_plane.h"

#include "core/imageio/image_io.h"
#include "core/log.h"

namespace bankside::headless {

Image planeOfFile(const std::string& file, ChannelChoice channel) {
  const LoadedImage loaded = readImage(file);
  if (loaded.info.pages > 1)
    log(LogLevel::Info, file + ": has " + std::to_string(loaded.info.pages) + " pages; the first is taken");
  ImageSource source(loaded.image);
  const ChannelSelection selection = selectChannels(source, loaded.info.channelNames, channel, 1);
  Image plane(1, source.height(), source.width(), source.type());
  selection.source->readRows(0, 0, plane.plane(0));
  return plane;
}

}  // namespace bankside::headless
