/// FNV-1a over 64 bits: keys caches and reports. Not a defence against anybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankside {

class Hash {
 public:
  void addBytes(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 0x100000001b3ull;
  }
  void add(std::uint64_t number) {
    for (int i = 0; i < 8; ++i, number >>= 8) value_ = (value_ ^ (number & 255)) * 0x100000001b3ull;
  }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    addBytes(text.data(), text.size());
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ull;
};

}  // namespace bankside
