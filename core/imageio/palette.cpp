#include "core/imageio/palette.h"

namespace bankside::codec {

void expandPaletteRow(const ReadableFile& file, const Palette& palette, const std::uint8_t* indices,
                      int width, std::byte* const* rows) {
  const auto channels = static_cast<std::size_t>(palette.channels());
  for (int x = 0; x < width; ++x) {
    if (indices[x] >= palette.colours.size()) {
      file.damaged("is damaged: a pixel has colour " + std::to_string(indices[x]) + " of a palette of " +
                   std::to_string(palette.colours.size()));
    }
    const auto& colour = palette.colours[indices[x]];
    for (std::size_t c = 0; c < channels; ++c) rows[c][x] = static_cast<std::byte>(colour[c]);
  }
}

void unpackBits(const std::byte* packed, int bits, bool scaled, int width, std::uint8_t* pixels) {
  const unsigned largest = (1u << bits) - 1;
  const unsigned factor = scaled ? 255u / largest : 1u;  // 255, 85 or 17: exact
  const int perByte = 8 / bits;
  for (int x = 0; x < width; ++x) {
    const unsigned byte = std::to_integer<unsigned>(packed[x / perByte]);
    const unsigned value = (byte >> (8 - bits - x % perByte * bits)) & largest;
    pixels[x] = static_cast<std::uint8_t>(value * factor);
  }
}

}  // namespace bankside::codec
