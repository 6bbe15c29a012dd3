/// Prefix codes of deflate (RFC 1951, section 3.2.2).
#pragma once

#include <cstdint>
#include <span>

#include "core/imageio/bit_writer.h"

namespace bankside::codec {

/// A complete code of at most `longest` bits a symbol for symbols that occur so often: Huffman's, of halved
/// counts where his are longer. At least two counts are not 0; at most 2^longest. Same order, same code.
///
/// Shapes  `codes` is as long as `counts`, at most 288
void huffmanCode(std::span<const std::uint32_t> counts, int longest, std::span<PrefixCode> codes);

}  // namespace bankside::codec
