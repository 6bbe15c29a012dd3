/// Indices and packed bits to pixels, the same for PNG and TIFF. Internal to core/.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/imageio/image_codec.h"

namespace bankside::codec {

struct Palette {
  std::vector<std::array<std::uint8_t, 4>> colours;  // red, green, blue, alpha
  bool hasAlpha = false;
  int channels() const { return hasAlpha ? 4 : 3; }
};

/// One row of indices to one row a channel (3 or 4). Throws Error{BadInput} for an index beyond the palette.
void expandPaletteRow(const ReadableFile& file, const Palette& palette, const std::uint8_t* indices,
                      int width, std::byte* const* rows);

/// 1, 2 or 4 bit pixels, the first in the highest bits, to one byte each. The values stay, or, if `scaled`,
/// spread over 0..255 by repeating their bits (15 becomes 255, 2-bit 1 becomes 85).
void unpackBits(const std::byte* packed, int bits, bool scaled, int width, std::uint8_t* pixels);

}  // namespace bankside::codec
