#include "core/json_text.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "core/error.h"

namespace bankside {
namespace {

/// Objects, arrays and keys of one text.
constexpr int mostParts = 1 << 20;

/// The parser's words without its codes, short, and free of bytes that a terminal might choke on.
std::string plainWords(const std::string& what) {
  std::string text = what;
  if (text.starts_with("[json.exception")) text.erase(0, text.find("] ") + 2);
  const std::string prefix = "parse error at ";
  if (text.starts_with(prefix)) text.erase(0, prefix.size());
  if (text.size() > 300) text = text.substr(0, 150) + " ... " + text.substr(text.size() - 140);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
  }
  return text;
}

/// Builds the tree as the parser goes through the text, and refuses before anything grows.
class TreeBuilder {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}

  Json take() { return std::move(root_); }

  // What nlohmann's parser calls.
  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(Json::number_integer_t value) { return put(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return put(value); }
  bool string(std::string& value) {
    requireText(value);
    return put(std::move(value));
  }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    Frame& frame = frames_.back();
    requireText(name);
    frame.key = name;
    if (!frame.keys.insert(name).second) refuse("found this key twice, expected it once");
    count();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) {
    const bool placed = dynamic_cast<const Json::parse_error*>(&error) != nullptr;
    throw Error(ErrorCode::BadInput, file_ + ": " + (placed ? "" : pointer() + " or the value after it: ") +
                                         plainWords(error.what()));
  }

 private:
  /// An object or array that is not complete.
  struct Frame {
    Json* value;
    std::string key;             // of an object, the last one
    std::set<std::string> keys;  // of an object
  };

  [[noreturn]] void refuse(const std::string& sentence) const {
    const std::string place = pointer();
    throw Error(ErrorCode::BadInput, file_ + ": " + (place.empty() ? "/" : place) + ": " + sentence);
  }

  /// Names and labels become files and sentences, which would end there.
  void requireText(const std::string& text) const {
    if (text.find('\0') != std::string::npos) refuse("found the character \\u0000 in a text");
  }

  void count() {
    if (++parts_ > mostParts)
      refuse("found more than " + std::to_string(mostParts) + " objects, arrays and keys");
  }

  std::string pointer() const {
    std::string text;
    for (const Frame& frame : frames_) {
      if (frame.value->is_array()) {
        if (!frame.value->empty()) text += "/" + std::to_string(frame.value->size() - 1);
      } else if (!frame.keys.empty()) {
        text += pointerStep(frame.key);
      }
    }
    return text;
  }

  /// Where the value went; its parents do not grow while it is open.
  Json* add(Json&& value) {
    if (frames_.empty()) return &(root_ = std::move(value));
    Frame& frame = frames_.back();
    if (frame.value->is_array()) return &frame.value->emplace_back(std::move(value));
    // The key is known to be fresh, which the map itself would find out by looking at all of them.
    auto& members = frame.value->get_ref<Json::object_t&>();
    members.emplace_back(frame.key, std::move(value));
    return &members.back().second;
  }
  bool put(Json value) {
    add(std::move(value));
    return true;
  }
  bool open(Json&& value) {
    Json* added = add(std::move(value));
    if (frames_.size() == mostJsonLevels)
      refuse("found more than " + std::to_string(mostJsonLevels) + " levels of nesting");
    count();
    frames_.push_back({added, {}, {}});
    return true;
  }
  bool close() {
    frames_.pop_back();
    return true;
  }

  const std::string& file_;
  Json root_;
  std::vector<Frame> frames_;
  int parts_ = 0;
};

}  // namespace

template <class Number>
Number wholeNumber(const Json& value) {
  if (value.is_number_unsigned()) {
    if (const auto number = value.get<std::uint64_t>(); std::in_range<Number>(number))
      return static_cast<Number>(number);
  } else if (value.is_number_integer()) {
    if (const auto number = value.get<std::int64_t>(); std::in_range<Number>(number))
      return static_cast<Number>(number);
  } else if (value.is_number_float()) {
    // Both ends are doubles: -2^n and 2^n.
    constexpr auto least = static_cast<double>(std::numeric_limits<Number>::min());
    const auto number = value.get<double>();
    if (number == std::trunc(number) && number >= least && number < -least)
      return static_cast<Number>(number);
  }
  throw Error(ErrorCode::BadInput,
              "found " +
                  (value.is_number() ? value.dump() : "a value of type " + std::string(value.type_name())) +
                  ", expected a whole number from " + std::to_string(std::numeric_limits<Number>::min()) +
                  " to " + std::to_string(std::numeric_limits<Number>::max()));
}
template int wholeNumber(const Json&);
template std::int64_t wholeNumber(const Json&);

std::string pointerStep(const std::string& key) {
  std::string step = "/";
  for (const char c : key.substr(0, 80)) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return step;
}

Json parseJsonText(std::string_view text, const std::string& file) {
  TreeBuilder builder(file);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

}  // namespace bankside
