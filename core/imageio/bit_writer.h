/// Bits in deflate's order (RFC 1951, section 3.1.1): the first bit of a byte is its lowest.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bankside::codec {

struct PrefixCode {
  std::uint16_t bits = 0;   ///< first bit lowest
  std::uint16_t count = 0;  ///< how many bits; 0: the symbol does not occur
};

/// A value: inner loops take a copy, which stays in registers though the bytes written could be anywhere.
class BitWriter {
 public:
  /// Where whole bytes go from here on. `write` touches eight of them.
  void begin(std::byte* at) { at_ = at; }
  std::byte* end() const { return at_; }

  /// At most 57 bits between two calls of `write`; `value` has no others.
  void put(std::uint64_t value, int count) {
    held_ |= value << count_;
    count_ += count;
  }
  void put(PrefixCode code) { put(code.bits, code.count); }

  /// Writes the whole bytes among those bits.
  void write() {
    std::uint64_t bytes = held_;
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    std::memcpy(at_, &bytes, sizeof(bytes));
    at_ += count_ / 8;
    held_ >>= count_ & ~7;
    count_ &= 7;
  }

  /// Fills the last byte with zeros, and writes.
  void align() {
    put(0, -count_ & 7);
    write();
  }

 private:
  std::uint64_t held_ = 0;
  int count_ = 0;  // of the bits held
  std::byte* at_ = nullptr;
};

}  // namespace bankside::codec
