#include "core/printable.h"

#include <cstdint>
#include <utility>

namespace bankside {
namespace {

/// The bytes of the character that comes first, and its code; 0 bytes where it is none.
/// Source  The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
std::pair<std::size_t, std::uint32_t> firstCharacter(std::string_view text) {
  const auto at = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const unsigned first = at(0);
  if (first < 0x80) return {text.empty() ? 0 : 1, first};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  std::uint32_t code = first & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((at(i) & 0xc0) != 0x80) return {0, 0};
    code = code << 6 | (at(i) & 0x3f);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool none = first < 0xc2 || code < least[bytes] || code > 0x10ffff || surrogate;
  return {none ? 0 : bytes, code};
}

/// The bytes of the character that comes first if it may be shown, else 0.
std::size_t shownBytes(std::string_view text) {
  const auto [bytes, code] = firstCharacter(text);
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  // Marks that let a name read from right to left: it would show another ending than it has.
  const bool turns = code == 0x61c || code == 0x200e || code == 0x200f ||
                     (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return control || turns ? 0 : bytes;
}

}  // namespace

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = firstCharacter(text).first;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string markdownText(std::string_view text) {
  const std::string shown = printable(text);
  std::string marked;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    constexpr std::string_view meant = "[]|`";
    const auto means = [&](std::size_t at) {
      return at < shown.size() && meant.find(shown[at]) != meant.npos;
    };
    // A backslash before one of them would undo ours.
    if (means(i) || (shown[i] == '\\' && (means(i + 1) || shown.substr(i + 1, 1) == "\\"))) marked += '\\';
    marked += shown[i] == '<' ? "&lt;" : std::string(1, shown[i]);
  }
  return marked;
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t bytes = shownBytes(text);
    if (bytes > 0) {
      shown += text.substr(0, bytes);
    } else {
      const auto byte = static_cast<unsigned char>(text[0]);
      shown += {'\\', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    }
    text.remove_prefix(bytes > 0 ? bytes : 1);
  }
  return shown;
}

}  // namespace bankside
