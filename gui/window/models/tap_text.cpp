#include "gui/window/models/tap_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "core/filter_bank.h"
#include "core/refuse.h"
#include "core/text.h"

namespace bankside::window {
namespace {

/// More than 127 x 127 taps of 60 letters each can need.
constexpr std::size_t maxTextBytes = std::size_t{1} << 20;

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
  return text;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 24;
  if (text.size() <= longest) return "\"" + std::string(text) + "\"";
  return "\"" + std::string(text.substr(0, longest)) + "...\"";
}

std::string placeOf(std::size_t row, std::size_t column) {
  return "Row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const auto end = text.find_first_of("\r\n");
    result.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(text.substr(end, 2) == "\r\n" ? end + 2 : end + 1);
  }
  while (!result.empty() && trimmed(result.back()).empty()) result.pop_back();
  while (!result.empty() && trimmed(result.front()).empty()) result.erase(result.begin());
  return result;
}

std::vector<std::string_view> cells(std::string_view line, char separator) {
  std::vector<std::string_view> result;
  if (separator != ' ') {
    for (;;) {
      const auto at = line.find(separator);
      result.push_back(trimmed(line.substr(0, at)));
      if (at == std::string_view::npos) return result;
      line.remove_prefix(at + 1);
    }
  }
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    const auto end = std::find_if(line.begin(), line.end(), isBlank);
    result.push_back(line.substr(0, static_cast<std::size_t>(end - line.begin())));
    line.remove_prefix(result.back().size());
  }
  return result;
}

/// With commas and blanks together, "1, 2, 3" has commas between taps and "0,5 1,5" has them inside.
bool commasAreDecimal(const std::vector<std::string_view>& rows) {
  const auto inside = [](std::string_view cell) {
    return std::any_of(cell.begin(), cell.end(), isBlank) || cell == "-0" ||
           (cell.size() > 1 && cell.front() == '0' && cell.find_first_not_of("0123456789") == cell.npos);
  };
  return std::any_of(rows.begin(), rows.end(), [&](std::string_view row) {
    const auto parts = cells(row, ',');
    return parts.size() > 1 && std::any_of(parts.begin(), parts.end(), inside);
  });
}

char separatorOf(const std::vector<std::string_view>& rows) {
  for (const char candidate : {'\t', ';', ','}) {
    const bool found = std::any_of(rows.begin(), rows.end(),
                                   [&](std::string_view row) { return row.find(candidate) != row.npos; });
    if (found && candidate == ',' && commasAreDecimal(rows)) return ' ';
    if (found) return candidate;
  }
  return ' ';
}

}  // namespace

float parseTap(std::string_view text, const std::string& place) {
  text = trimmed(text);
  if (text.empty()) refuse(place + " is empty; every tap needs a number.");
  const auto slash = text.find('/');
  std::optional<double> value = parseNumber(trimmed(text.substr(0, slash)));
  if (value && slash != text.npos) {
    const auto divisor = parseNumber(trimmed(text.substr(slash + 1)));
    if (divisor && *divisor == 0) refuse(place + " is " + quoted(text) + ", a division by zero.");
    value = divisor ? std::optional(*value / *divisor) : std::nullopt;
  }
  if (!value) {
    std::string point(text);
    std::replace(point.begin(), point.end(), ',', '.');
    if (point != text && parseNumber(point)) {
      refuse(place + " is " + quoted(text) + ": write decimals with a point (" + point + "), not a comma.");
    }
    refuse(place + " is " + quoted(text) + ", which is not a number.");
  }
  if (!std::isfinite(*value)) refuse(place + " is " + quoted(text) + "; a tap must be a finite number.");
  const auto tap = static_cast<float>(*value);
  if (!std::isfinite(tap)) refuse(place + " is " + quoted(text) + ", too large for a 32-bit float.");
  return tap;
}

TapBlock parseTapText(std::string_view text) {
  if (text.size() > maxTextBytes) throw Error(ErrorCode::Limit, "The pasted text is longer than 1 MiB.");
  const auto rows = lines(text);
  if (rows.empty()) refuse("There is no text to paste.");
  const char separator = separatorOf(rows);
  TapBlock block;
  block.rows = static_cast<int>(rows.size());
  for (std::size_t y = 0; y < rows.size(); ++y) {
    const auto row = cells(rows[y], separator);
    if (y == 0) block.columns = static_cast<int>(row.size());
    if (block.rows > maxFilterSide || block.columns > maxFilterSide) {
      throw Error(ErrorCode::Limit, "The pasted text has " + std::to_string(block.rows) + " rows and " +
                                        std::to_string(block.columns) + " columns; at most " +
                                        std::to_string(maxFilterSide) + " of each are allowed.");
    }
    for (std::size_t x = 0; x < row.size(); ++x) block.values.push_back(parseTap(row[x], placeOf(y, x)));
    if (static_cast<int>(row.size()) != block.columns) {
      refuse("Row " + std::to_string(y + 1) + " has " + std::to_string(row.size()) +
             " values where row 1 has " + std::to_string(block.columns) + ".");
    }
  }
  return block;
}

std::string formatTapText(const TapBlock& block) {
  std::string text;
  for (int y = 0; y < block.rows; ++y) {
    for (int x = 0; x < block.columns; ++x) {
      if (x > 0) text += '\t';
      text += formatNumber(block.values[static_cast<std::size_t>(y) * block.columns + x]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace bankside::window
