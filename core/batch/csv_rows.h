/// Rows of a CSV file (RFC 4180), as spreadsheets write it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bankside {

/// One row after another. Semicolons part cells where the first line has them and no comma.
class CsvRows {
 public:
  explicit CsvRows(std::string_view text);

  /// The cells of the next row that is not empty, without blanks around them; false after the last one.
  bool next(std::vector<std::string>& cells);
  /// Of the row that was given last, from 1.
  std::size_t line() const { return line_; }

 private:
  std::string_view rest_;
  char separator_ = ',';
  std::size_t line_ = 0;
  std::size_t nextLine_ = 1;
};

}  // namespace bankside
