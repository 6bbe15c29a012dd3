/// What becomes of a row before it is compressed into a PNG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bankside::codec {

/// The number of Paeth's filter in a PNG.
inline constexpr std::byte paethFilter{4};

/// What is left of a row when Paeth's prediction from its left, upper and upper left neighbours is taken
/// away (PNG, third edition, section 9.4), byte by byte.
///
/// Shapes  `row` and `above`: `pixelBytes` zeros, then the row; `left`: the row
void predictRow(const std::byte* row, const std::byte* above, std::size_t pixelBytes,
                std::span<std::byte> left);

}  // namespace bankside::codec
