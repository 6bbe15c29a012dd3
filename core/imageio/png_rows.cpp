#include "core/imageio/png_rows.h"

namespace bankside::codec {
namespace {

using Byte = std::uint8_t;

// std::min and std::max give references, which keep compilers from turning the loop into vectors.
Byte distance(Byte a, Byte b) { return static_cast<Byte>(a > b ? a - b : b - a); }

/// The neighbour that is nearest to a + b - c; of equally near ones a, then b.
///
/// In bytes, which lie sixteen to a register: the distances from a and b are |b - c| and |a - c|. Where c
/// lies beside a and b, that from c is their sum, and no nearer than either; between them it is their
/// difference.
Byte paeth(Byte a, Byte b, Byte c) {
  const Byte fromA = distance(b, c);
  const Byte fromB = distance(a, c);
  const bool beside = (b >= c) == (a >= c);
  const Byte fromC = beside ? Byte{255} : distance(fromA, fromB);
  const Byte bOrC = fromB <= fromC ? b : c;
  const Byte nearer = fromB <= fromC ? fromB : fromC;
  return fromA <= nearer ? a : bOrC;
}

}  // namespace

void predictRow(const std::byte* row, const std::byte* above, std::size_t pixelBytes,
                std::span<std::byte> left) {
  const auto* x = reinterpret_cast<const Byte*>(row);
  const auto* up = reinterpret_cast<const Byte*>(above);
  auto* out = reinterpret_cast<Byte*>(left.data());
  for (std::size_t i = 0; i < left.size(); ++i)
    out[i] = static_cast<Byte>(x[i + pixelBytes] - paeth(x[i], up[i + pixelBytes], up[i]));
}

}  // namespace bankside::codec
