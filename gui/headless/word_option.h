/// An option that takes one of a few words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace bankside::headless {

/// An option whose text one of the core's parse functions reads; the check runs while the line is parsed, so
/// that CLI11 names the option in its complaint.
template <class T, class Parse>
CLI::Option* wordOption(CLI::App& app, const std::string& name, T& target, Parse parse,
                        const std::string& words, const std::string& help) {
  return app
      .add_option_function<std::string>(
          name, [&target, parse](const std::string& text) { target = *parse(text); }, help)
      ->check(CLI::Validator(
          [parse, words](std::string& text) {
            return parse(text) ? std::string() : "\"" + text + "\" is none of " + words;
          },
          words))
      ->type_name("");
}

}  // namespace bankside::headless
