#include "filters/json_text.h"

#include <set>
#include <vector>

#include "core/error.h"

namespace bankside {
namespace {

using nlohmann::json;

/// Follows the parser through the text, so that every refusal can say where.
class Position {
 public:
  /// Nothing is wrong, or a sentence's end that says what is.
  std::string advance(json::parse_event_t event, const json& parsed, int maxDepth) {
    using Event = json::parse_event_t;
    switch (event) {
      case Event::object_start:
      case Event::array_start:
        nextElement();
        frames_.push_back({event == Event::array_start});
        if (static_cast<int>(frames_.size()) > maxDepth) {
          return "found more than " + std::to_string(maxDepth) + " levels of nesting";
        }
        break;
      case Event::object_end:
      case Event::array_end: frames_.pop_back(); break;
      case Event::key: {
        Frame& frame = frames_.back();
        frame.key = parsed.get<std::string>();
        if (!frame.keys.insert(frame.key).second) return "found this key twice, expected it once";
        break;
      }
      case Event::value: nextElement(); break;
    }
    return "";
  }

  std::string pointer() const {
    std::string text;
    for (const Frame& frame : frames_) {
      if (frame.isArray) {
        if (frame.index >= 0) text += "/" + std::to_string(frame.index);
      } else if (!frame.keys.empty()) {
        text += pointerStep(frame.key);
      }
    }
    return text;
  }

 private:
  struct Frame {
    bool isArray = false;
    long index = -1;
    std::string key;
    std::set<std::string> keys;
  };

  void nextElement() {
    if (!frames_.empty() && frames_.back().isArray) ++frames_.back().index;
  }

  std::vector<Frame> frames_;
};

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

}  // namespace

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

json parseJsonText(std::string_view text, const std::string& file, int maxDepth) {
  Position position;
  try {
    return json::parse(text.begin(), text.end(), [&](int, json::parse_event_t event, json& parsed) {
      const std::string wrong = position.advance(event, parsed, maxDepth);
      if (!wrong.empty()) throw Error(ErrorCode::BadInput, file + ": " + position.pointer() + ": " + wrong);
      return true;
    });
  } catch (const json::parse_error& error) {
    throw Error(ErrorCode::BadInput, file + ": " + plainWords(error.what()));
  } catch (const json::exception& error) {
    throw Error(ErrorCode::BadInput,
                file + ": " + position.pointer() + " or the value after it: " + plainWords(error.what()));
  }
}

}  // namespace bankside
