#include "core/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace bankside {
namespace {

template <class T>
std::string shortest(T value) {
  std::array<char, 64> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

template <class T>
std::optional<T> parseWhole(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  T value{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || text.empty())
    return std::nullopt;
  return value;
}

}  // namespace

std::string formatNumber(float value) { return shortest(value); }
std::string formatNumber(double value) { return shortest(value); }

std::string formatFixed(double value, int decimals) {
  if (!std::isfinite(value)) return shortest(value);
  std::array<char, 512> buffer;
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
  return {buffer.data(), result.ptr};
}

std::string formatSignificant(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::fabs(value);
  return formatFixed(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

std::optional<double> parseNumber(std::string_view text) { return parseWhole<double>(text); }
std::optional<std::int64_t> parseInteger(std::string_view text) { return parseWhole<std::int64_t>(text); }

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string trimmed(std::string_view text, std::string_view blanks) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::string ordinal(std::size_t number) {
  if (number >= 1 && number <= 3) return std::vector<std::string>{"first", "second", "third"}[number - 1];
  const std::size_t digit = number / 10 % 10 == 1 ? 0 : number % 10;
  return std::to_string(number) + (digit == 1 ? "st" : digit == 2 ? "nd" : digit == 3 ? "rd" : "th");
}

std::string joinWords(const std::vector<std::string>& words, const char* last) {
  constexpr std::size_t most = 100;  // a stranger's image may have as many channels as it likes
  const std::string end = " " + std::string(last) + " ";
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == most) return text + end + std::to_string(words.size() - most) + " more";
    if (i > 0) text += i + 1 == words.size() ? end : ", ";
    text += words[i];
  }
  return text;
}

std::string inSmallLetters(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::string counted(std::int64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

int editDistance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

std::vector<std::string> nearestNames(const std::string& word, const std::vector<std::string>& names) {
  std::vector<std::pair<int, std::string>> ranked;
  for (const std::string& name : names) {
    const bool contained = word.size() >= 3 && name.find(word) != std::string::npos;
    ranked.emplace_back(contained ? 0 : editDistance(word, name), name);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < ranked.size() && i < 3; ++i) nearest.push_back(ranked[i].second);
  return nearest;
}

std::string shellWord(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                          "_-+=:,./@%") == std::string::npos;
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string formatHash(std::uint64_t hash) {
  std::string text(16, '0');
  for (int digit = 15; digit >= 0; --digit, hash >>= 4)
    text[static_cast<std::size_t>(digit)] = "0123456789abcdef"[hash & 15];
  return text;
}

}  // namespace bankside
