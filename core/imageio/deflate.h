/// Deflate (RFC 1951) as filtered pictures like it: prefix codes and runs of one byte, no other matches.
///
/// What filters leave of a response is noise, in which a search for matches costs most of the time and makes
/// the file larger (docs/lab-notes/files.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/imageio/bit_writer.h"

namespace bankside::codec {

/// One compressed stream, block by block: its bytes are a function of the blocks alone.
class Deflater {
 public:
  static constexpr std::size_t largestBlock = 65535;  ///< as many as can be stored as they are

  /// Not `compress`: blocks are stored. So are, in any case, those that codes would make longer.
  explicit Deflater(bool compress);

  /// The whole bytes of the stream that the next `bytes`, at most `largestBlock`, end; valid until the next
  /// call. Nothing follows the `last` block.
  std::span<const std::byte> block(std::span<const std::byte> bytes, bool last);

 private:
  /// Bytes [begin, end) repeat the one before `begin`.
  struct Run {
    std::size_t begin, end;
  };

  void findRuns(std::span<const std::byte> bytes);
  void countSymbols(std::span<const std::byte> bytes, std::span<std::uint32_t> counts) const;
  void encode(std::span<const std::byte> bytes, bool last);
  void store(std::span<const std::byte> bytes, bool last);

  bool compress_;
  std::vector<Run> runs_;
  std::vector<std::byte> out_;
  BitWriter writer_;
};

}  // namespace bankside::codec
