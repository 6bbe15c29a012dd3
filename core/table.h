/// A small table of words: aligned for a terminal, or as Markdown, or as CSV.
#pragma once

#include <string>
#include <vector>

namespace bankside {

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Columns two spaces apart; those whose cells are all numbers (or empty) are flush right. Here and in
  /// Markdown cells are `printable`, and no HTML.
  std::string aligned() const;
  std::string markdown() const;
  /// RFC 4180: cells with separator or quote are quoted; they are `printable`, on one line. A text that a
  /// spreadsheet would take for a formula begins with an apostrophe; a number is a number. Tabs part cells on
  /// a clipboard.
  std::string csv(char separator = ',') const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace bankside
