/// JSON text to a tree: every recipe, bank, report and table that is read comes through here, as if a
/// stranger had sent it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/error.h"

namespace bankside {

using Json = nlohmann::ordered_json;

/// Levels of objects and arrays: a report has six.
inline constexpr int mostJsonLevels = 8;

/// Numbers that a double holds are numbers; a larger one is refused.
/// Errors  Error{BadInput}, naming `file` and line and column (or the JSON pointer), for text that is no
///         JSON, a key that comes twice in one object, nesting beyond `mostJsonLevels`, and more objects,
///         arrays or keys than any file of ours has
Json parseJsonText(std::string_view text, const std::string& file);

/// What `read` gives; what it refuses is said to be `kind` first, as "no recipe".
template <class Read>
auto asKind(const std::string& file, const std::string& kind, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    const std::string sentence = error.what();
    const std::string start = file + ": ";
    throw Error(error.code(), start + "is " + kind + ": " +
                                  sentence.substr(sentence.starts_with(start) ? start.size() : 0));
  }
}

/// A whole number as `Number`, int or std::int64_t.
/// Errors  Error{BadInput} for anything else, also for a number that `Number` does not hold
template <class Number>
Number wholeNumber(const Json& value);

/// One step of a JSON pointer: "/" and the key, with RFC 6901's escapes.
std::string pointerStep(const std::string& key);

}  // namespace bankside
