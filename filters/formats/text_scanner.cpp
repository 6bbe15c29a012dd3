#include "filters/formats/text_scanner.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/text.h"
#include "filters/formats/limits.h"

namespace bankside {
namespace {

std::string plainLines(const std::string& text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = text.starts_with("\xef\xbb\xbf") ? 3 : 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      plain += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      plain += '\n';
    }
  }
  return plain;
}

}  // namespace

TextScanner::TextScanner(std::string name, std::string text)
    : name_(std::move(name)), text_(plainLines(text)) {}

void TextScanner::skip(std::string_view characters) {
  next_ = std::min(text_.find_first_not_of(characters, next_), text_.size());
}

bool TextScanner::take(std::string_view word) {
  if (!rest().starts_with(word)) return false;
  next_ += word.size();
  return true;
}

void TextScanner::expect(std::string_view word) {
  if (!take(word)) expected("\"" + std::string(word) + "\"");
}

std::string_view TextScanner::until(std::string_view ends) {
  const std::size_t start = next_;
  while (!atEnd() && peek() != '\n' && ends.find(peek()) == std::string_view::npos) ++next_;
  return std::string_view(text_).substr(start, next_ - start);
}

double TextScanner::number(std::string_view ends) {
  const std::size_t start = next_;
  std::string_view word = until(ends);
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto value = parseNumber(word);
  if (!value || !(std::fabs(*value) < roundsToInfinity)) expectedAt(start, "a number that fits 32-bit float");
  return *value;
}

int TextScanner::integer(std::string_view ends, int least, int most) {
  const std::size_t start = next_;
  const auto value = parseInteger(until(ends));
  if (!value || *value < least || *value > most)
    expectedAt(start, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return static_cast<int>(*value);
}

void TextScanner::expectedAt(std::size_t place, const std::string& what) const {
  constexpr std::size_t longest = 40;
  const std::size_t start = std::min(text_.find_first_not_of(" \t", place), text_.size());
  const std::size_t end = std::min(text_.find_first_of(" \t\n,;", start), text_.size());
  // A separator or a line's end stands for itself.
  const std::string word = text_.substr(start, std::clamp<std::size_t>(end - start, 1, longest));
  const std::string found = start == text_.size() ? "the end of the text"
                            : word == "\n"        ? "the end of the line"
                                                  : "\"" + word + "\"";
  refuseAt(start, "found " + found + ", expected " + what);
}

void TextScanner::refuseAt(std::size_t place, const std::string& sentence) const {
  const std::string_view before = std::string_view(text_).substr(0, place);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t lineStart = before.find_last_of('\n') + 1;  // npos + 1 is 0
  throw Error(ErrorCode::BadInput, name_ + ":" + std::to_string(line) + ":" +
                                       std::to_string(place - lineStart + 1) + ": " + sentence);
}

}  // namespace bankside
