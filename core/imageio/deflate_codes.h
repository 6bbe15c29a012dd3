/// How a block of deflate says what its codes are (RFC 1951, section 3.2.7).
#pragma once

#include <cstddef>
#include <span>

#include "core/imageio/bit_writer.h"

namespace bankside::codec {

/// Literals, the end of the block and lengths of matches.
inline constexpr std::size_t deflateSymbols = 286;

/// The beginning of a block: whether it is the last one, and the lengths of its codes, `deflateSymbols` of
/// them. There are two distances of one bit each, since every code is to be complete; the bit 0 is distance
/// 1.
void writeCodes(BitWriter& writer, std::span<const PrefixCode> codes, bool last);

}  // namespace bankside::codec
