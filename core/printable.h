/// Text of strangers (names of files, labels of banks) for a terminal or a page.
#pragma once

#include <string>
#include <string_view>

namespace bankside {

/// Control characters and bytes that are no UTF-8 as "\x1b": they would steer the terminal, or break the
/// line.
std::string printable(std::string_view text);

/// The same in Markdown: nothing of it is a link, HTML, or the end of a cell.
std::string markdownText(std::string_view text);

bool isUtf8(std::string_view text);

}  // namespace bankside
