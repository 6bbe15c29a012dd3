#include "core/table.h"

#include <algorithm>
#include <cctype>

#include "core/printable.h"
#include "core/text.h"

namespace bankside {
namespace {

/// Characters on screen, not bytes: continuation bytes of UTF-8 take no column.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool numeric(const std::string& cell) {
  return cell.empty() || cell == "-" || std::isdigit(static_cast<unsigned char>(cell.front())) != 0 ||
         (cell.size() > 1 && cell.front() == '-' && std::isdigit(static_cast<unsigned char>(cell[1])) != 0);
}

std::vector<std::vector<std::string>> printableCells(std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows)
    for (std::string& cell : row) cell = printable(cell);
  return rows;
}

/// As a spreadsheet shows it.
std::string sheetCell(const std::string& cell) {
  const bool formula = cell.find_first_of("=+-@\t\r") == 0 && !parseNumber(cell);
  return formula ? "'" + cell : cell;
}

}  // namespace

std::string Table::aligned() const {
  const auto rows = printableCells(rows_);
  const std::size_t count = rows.front().size();
  std::vector<std::size_t> widths(count, 0);
  std::vector<bool> right(count, true);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < count; ++c) {
      widths[c] = std::max(widths[c], columns(rows[r][c]));
      if (r > 0 && !numeric(rows[r][c])) right[c] = false;
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < count; ++c) {
      const std::string gap(widths[c] - columns(row[c]), ' ');
      line += (c > 0 ? "  " : "") + (right[c] ? gap + row[c] : row[c] + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Table::markdown() const {
  const auto& rows = rows_;
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += "|";
    for (const auto& cell : rows[r]) text += " " + markdownText(cell) + " |";
    text += "\n";
    if (r == 0) {
      text += "|";
      for (std::size_t c = 0; c < rows[r].size(); ++c) text += "---|";
      text += "\n";
    }
  }
  return text;
}

std::string Table::csv(char separator) const {
  const std::string quoted = std::string("\"\n\r") + separator;
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += separator;
      const std::string cell = printable(sheetCell(row[c]));
      if (cell.find_first_of(quoted) == std::string::npos) {
        text += cell;
        continue;
      }
      text += '"';
      for (const char letter : cell) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
      text += '"';
    }
    text += "\n";
  }
  return text;
}

}  // namespace bankside
