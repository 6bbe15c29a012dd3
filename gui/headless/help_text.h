/// How CLI11's help reads: without the marks it puts on checks and on flags that switch something off.
#pragma once

#include <CLI/CLI.hpp>
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
};

}  // namespace bankside::headless
