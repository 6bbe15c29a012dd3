/// JSON text to a tree, with what nlohmann's parser leaves open decided: depth, doubled keys, wording.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bankside {

/// Errors  Error{BadInput}, naming `file` and line and column (or the JSON pointer) for text that is not
/// JSON,
///         a key that comes twice in one object, and nesting beyond `maxDepth`.
nlohmann::json parseJsonText(std::string_view text, const std::string& file, int maxDepth);

/// One step of a JSON pointer: "/" and the key, with RFC 6901's escapes.
std::string pointerStep(const std::string& key);

}  // namespace bankside
