/// Text of strangers (names of files, labels of banks) for a terminal or a page.
#pragma once

#include <string>
#include <string_view>

namespace bankside {

/// Control characters and bytes that are no UTF-8 as "\x1b": they would steer the terminal, or break the
/// line.
std::string printable(std::string_view text);

bool isUtf8(std::string_view text);

}  // namespace bankside
