#include "core/table.h"

#include <algorithm>
#include <cctype>

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

}  // namespace

std::string Table::aligned() const {
  const std::size_t count = rows_.front().size();
  std::vector<std::size_t> widths(count, 0);
  std::vector<bool> right(count, true);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < count; ++c) {
      widths[c] = std::max(widths[c], columns(rows_[r][c]));
      if (r > 0 && !numeric(rows_[r][c])) right[c] = false;
    }
  }
  std::string text;
  for (const auto& row : rows_) {
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
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    text += "|";
    for (const auto& cell : rows_[r]) {
      text += " ";
      for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
      text += " |";
    }
    text += "\n";
    if (r == 0) {
      text += "|";
      for (std::size_t c = 0; c < rows_[r].size(); ++c) text += "---|";
      text += "\n";
    }
  }
  return text;
}

std::string Table::csv() const {
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += ",";
      if (row[c].find_first_of(",\"\n\r") == std::string::npos) {
        text += row[c];
        continue;
      }
      text += '"';
      for (const char letter : row[c]) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
      text += '"';
    }
    text += "\n";
  }
  return text;
}

}  // namespace bankside
