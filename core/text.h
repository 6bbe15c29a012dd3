/// Numbers to text and back, the same in every locale, shortest form that reads back to the same value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankside {

/// Shortest decimal that reads back to the same float (or double).
std::string formatNumber(float value);
std::string formatNumber(double value);

/// `value` with a fixed number of decimals, for tables.
std::string formatFixed(double value, int decimals);

/// Three significant digits, at most three decimals: what a timing can bear. "-" where it is not finite.
std::string formatSignificant(double value);

/// The whole of `text` as a number, or nothing: no leading or trailing junk, '.' is the decimal point.
std::optional<double> parseNumber(std::string_view text);
std::optional<std::int64_t> parseInteger(std::string_view text);

/// The parts between separators; an empty text has one empty part.
std::vector<std::string> split(std::string_view text, char separator);

/// Without blanks, tabs and line ends before and after, or what else `blanks` says.
std::string trimmed(std::string_view text, std::string_view blanks = " \t\r");

/// "first", "second", "third", "4th".
std::string ordinal(std::size_t number);

/// "a, b and c" for a person.
std::string joinWords(const std::vector<std::string>& words, const char* last = "and");

/// Of ASCII.
std::string inSmallLetters(std::string text);

/// "1 image", "2 images".
std::string counted(std::int64_t count, const std::string& thing);

/// Letters to insert, drop or change to get from one word to the other (Levenshtein's distance).
int editDistance(std::string_view a, std::string_view b);

/// Those of `names` that are most like `word`, nearest first, at most three; those that contain it are near.
std::vector<std::string> nearestNames(const std::string& word, const std::vector<std::string>& names);

/// A word of a shell's line: in single quotes where it has to be.
std::string shellWord(const std::string& word);

/// 0x-less lower-case hexadecimal of 16 digits.
std::string formatHash(std::uint64_t hash);

}  // namespace bankside
