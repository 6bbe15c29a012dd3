/// How tests over many values are listed.
#pragma once

#include <cctype>
#include <ostream>
#include <string>
#include <type_traits>

namespace bankside {

/// googletest prints what has a word of its own by that, not as its bytes.
template <class Word>
requires std::is_enum_v<Word> && requires(Word word) { std::string(toString(word)); }
void PrintTo(const Word& word, std::ostream* out) { *out << toString(word); }

}  // namespace bankside

namespace bankside::testing {

/// What a name of a test may not hold becomes _.
inline std::string asTestName(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

/// Names tests over texts by them.
inline constexpr auto byItsText = [](const auto& info) { return asTestName(std::string(info.param)); };

}  // namespace bankside::testing
