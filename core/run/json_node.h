/// A place in a JSON document, so that every complaint can name it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json_text.h"
#include "core/text.h"

namespace bankside {

class JsonNode {
 public:
  JsonNode(const Json& json, std::string file, std::string pointer)
      : json_(json), file_(std::move(file)), pointer_(std::move(pointer)) {}

  [[noreturn]] void fail(const std::string& expected) const {
    std::string found = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (found.size() > 60) found = found.substr(0, 57) + "...";
    throw Error(ErrorCode::BadInput, place() + ": found " + found + ", expected " + expected);
  }
  void allow(const std::vector<std::string>& names) const {
    if (!json_.is_object()) fail("an object");
    for (const auto& [key, value] : json_.items()) {
      if (std::find(names.begin(), names.end(), key) == names.end()) {
        JsonNode(value, file_, pointer_ + pointerStep(key))
            .fail("no such field here; there are " + joinWords(names));
      }
    }
  }
  std::optional<JsonNode> child(const std::string& key) const {
    if (!json_.contains(key)) return std::nullopt;
    return JsonNode(json_.at(key), file_, pointer_ + pointerStep(key));
  }
  JsonNode need(const std::string& key, const std::string& expected) const {
    if (auto node = child(key)) return *node;
    throw Error(ErrorCode::BadInput, place() + ": \"" + key + "\" is missing, expected " + expected);
  }
  JsonNode element(std::size_t i) const { return {json_.at(i), file_, pointer_ + "/" + std::to_string(i)}; }
  std::size_t size() const { return json_.is_array() ? json_.size() : 0; }
  std::string text() const {
    if (!json_.is_string()) fail("text");
    return json_.get<std::string>();
  }
  bool truth() const {
    if (!json_.is_boolean()) fail("true or false");
    return json_.get<bool>();
  }
  /// A whole number as `Number`, int or std::int64_t; one that `Number` does not hold is refused.
  template <class Number>
  Number whole() const {
    try {
      return wholeNumber<Number>(json_);
    } catch (const Error& error) {
      throw Error(error.code(), place() + ": " + error.what());
    }
  }
  const Json& json() const { return json_; }

  /// The child's text through one of the parse functions, or `otherwise` where there is no such child.
  template <class T, class Parse>
  T word(const std::string& key, T otherwise, Parse parse, const std::string& expected) const {
    const auto node = child(key);
    if (!node) return otherwise;
    if (const std::optional<T> value = parse(node->text())) return *value;
    node->fail(expected);
  }

 private:
  std::string place() const { return file_ + ": " + (pointer_.empty() ? "/" : pointer_); }

  const Json& json_;
  std::string file_;
  std::string pointer_;
};

}  // namespace bankside
