#include "core/imageio/orientation.h"

#include <cstring>
#include <utility>

namespace bankside::codec {
namespace {

/// Where pixel (x, y) of the upright picture lies in the stored one, H x W.
struct StoredPixel {
  int x, y;
};
StoredPixel stored(int orientation, int x, int y, int height, int width) {
  switch (orientation) {
    case 2: return {width - 1 - x, y};
    case 3: return {width - 1 - x, height - 1 - y};
    case 4: return {x, height - 1 - y};
    case 5: return {y, x};
    case 6: return {y, height - 1 - x};
    case 7: return {width - 1 - y, height - 1 - x};
    case 8: return {width - 1 - y, x};
    default: return {x, y};
  }
}

template <class T>
void turn(const Image& from, Image& to, int orientation) {
  // Squares, so that neither side of a transposition misses the cache at every pixel.
  constexpr int block = 32;
  for (int c = 0; c < from.channels(); ++c) {
    const auto src = from.view<T>(c);
    const auto dst = to.view<T>(c);
    for (int top = 0; top < dst.height; top += block) {
      for (int left = 0; left < dst.width; left += block) {
        for (int y = top; y < std::min(top + block, dst.height); ++y) {
          for (int x = left; x < std::min(left + block, dst.width); ++x) {
            const StoredPixel at = stored(orientation, x, y, src.height, src.width);
            dst.at(x, y) = src.at(at.x, at.y);
          }
        }
      }
    }
  }
}

}  // namespace

bool swapsSides(int orientation) { return orientation >= 5; }

Image applyOrientation(const ReadableFile& file, Image image, int orientation) {
  if (orientation == 1) return image;
  const bool swap = swapsSides(orientation);
  Image upright = allocate(file, image.channels(), swap ? image.width() : image.height(),
                           swap ? image.height() : image.width(), image.type());
  visit(image.type(), [&](auto element) { turn<decltype(element)>(image, upright, orientation); });
  upright.setChannelNames(image.channelNames());
  return upright;
}

void noteOrientation(ImageInfo& info, int orientation, const char* origin) {
  if (orientation == 1) return;
  if (swapsSides(orientation)) std::swap(info.height, info.width);
  info.notes.push_back(std::string(origin) + " orientation " + std::to_string(orientation) + " applied");
}

int exifOrientation(const unsigned char* payload, std::size_t size) {
  constexpr std::size_t prefix = 6;
  if (size < prefix + 8 || std::memcmp(payload, "Exif\0\0", prefix) != 0) return 1;
  const unsigned char* tiff = payload + prefix;
  const std::size_t length = size - prefix;
  const bool little = tiff[0] == 'I' && tiff[1] == 'I';
  if (!little && !(tiff[0] == 'M' && tiff[1] == 'M')) return 1;
  const auto number = [&](std::size_t at, int bytes) {
    std::size_t value = 0;
    for (int i = 0; i < bytes; ++i) {
      value |= static_cast<std::size_t>(tiff[at + static_cast<std::size_t>(i)])
               << (8 * (little ? i : bytes - 1 - i));
    }
    return value;
  };
  if (number(2, 2) != 42) return 1;
  const std::size_t directory = number(4, 4);
  if (directory > length - 2) return 1;
  const std::size_t entries = number(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + 12 * i;
    if (entry + 12 > length) return 1;
    if (number(entry, 2) != 274) continue;
    const std::size_t value = number(entry + 8, 2);
    const bool isShort = number(entry + 2, 2) == 3 && number(entry + 4, 4) == 1;
    return isShort && value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

}  // namespace bankside::codec
