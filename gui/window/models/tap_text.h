/// Taps as text: what a person types into a cell, and what a spreadsheet puts on the clipboard.
///
/// A word that is no number is an error that names its row and column, never a silent 0. Decimals are written
/// with a point; a decimal comma is refused with a sentence, because "0,5" could as well be two taps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bankside::window {

/// A rectangle of taps, row-major.
struct TapBlock {
  int rows = 0;
  int columns = 0;
  std::vector<float> values;
  bool operator==(const TapBlock&) const = default;
};

/// One tap: a number with a decimal point, or a fraction of two ("1/16").
/// Errors  Error{BadInput}: a sentence that begins with `place`, e.g. "Row 2, column 3".
float parseTap(std::string_view text, const std::string& place);

/// Rows are lines; the taps of a row stand between tabs, else semicolons, else commas, else blanks: the first
/// of these that occurs in the text. Empty lines at the end are ignored.
/// Errors  Error{BadInput}: nothing there, a bad word, rows of different lengths; Error{Limit}: over 127 a
/// side.
TapBlock parseTapText(std::string_view text);

/// Tabs between columns, a line feed after each row, the shortest decimals that read back to the same taps.
std::string formatTapText(const TapBlock& block);

}  // namespace bankside::window
