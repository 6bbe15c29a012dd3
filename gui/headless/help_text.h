/// How CLI11's help reads: without the marks it puts on checks and on flags that switch something off.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <sstream>
#include <string>

namespace bankside::headless {

class HelpText : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool isPositional) const override {
    std::string text = Formatter::make_option_name(option, isPositional);
    const std::string off = "{false}";
    if (const auto at = text.find(off); at != std::string::npos) text.erase(at, off.size());
    return text;
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = Formatter::make_option_opts(option);
    if (text.rfind(" :", 0) == 0) text.erase(1, 1);  // a check's words where there is no type's name
    const std::string list = ",...";                 // says already that there may be several
    if (const auto at = text.find(list + " ..."); at != std::string::npos) text.erase(at + list.size(), 4);
    return text;
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(Formatter::make_option_desc(option), lineWidth - get_column_width());
  }

  std::string make_footer(const CLI::App* app) const override {
    std::string text;
    std::istringstream lines(Formatter::make_footer(app));
    for (std::string line; std::getline(lines, line);) {
      // Examples are to be copied as they are.
      text += (line.starts_with("  ") ? line : wrapped(line, lineWidth)) + "\n";
    }
    return text;
  }

 private:
  static constexpr std::size_t lineWidth = 100;

  static std::string wrapped(const std::string& text, std::size_t width) {
    std::string lines;
    std::size_t column = 0;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (column > 0 && column + 1 + word.size() > width) {
        lines += '\n';
        column = 0;
      }
      if (column > 0) lines += ' ';
      column += word.size() + (column > 0 ? 1 : 0);
      lines += word;
    }
    return lines;
  }
};

}  // namespace bankside::headless
