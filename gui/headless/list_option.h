/// Options that take a list of words with commas.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/text.h"

namespace bankside::headless {

/// A list of words with commas, each read by `parse`; an option that is not given leaves the list as it is.
template <class T, class Parse>
CLI::Option& listOption(CLI::App& app, const std::string& name, std::vector<T>& target, Parse parse,
                        const std::string& words, const std::string& help) {
  return *app.add_option_function<std::vector<std::string>>(
                 name,
                 [&target, parse](const std::vector<std::string>& texts) {
                   target.clear();
                   for (const std::string& text : texts) target.push_back(*parse(text));
                 },
                 help)
              ->delimiter(',')
              ->check(CLI::Validator(
                  [parse, words](std::string& text) {
                    return parse(text) ? std::string() : "\"" + text + "\" is none of " + words;
                  },
                  words))
              ->type_name("A,B,...");
}

inline auto integerIn(int low, int high) {
  return [low, high](const std::string& text) -> std::optional<int> {
    const auto value = parseInteger(text);
    return value && *value >= low && *value <= high ? std::optional(static_cast<int>(*value)) : std::nullopt;
  };
}

}  // namespace bankside::headless
