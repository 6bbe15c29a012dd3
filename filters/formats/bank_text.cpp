/// Rows of numbers: CSV, and the text that ImageJ's Convolver takes.
#include <utility>

#include "core/error.h"
#include "core/text_file.h"
#include "filters/formats/bank_array.h"
#include "filters/formats/format_entries.h"
#include "filters/formats/rows_text.h"
#include "filters/formats/text_scanner.h"

namespace bankside {
namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view between = ",; \t#";

/// "0,5;0,25" is half and a quarter where commas are decimal: never guess that it is four numbers.
bool hasDecimalCommas(std::string_view line) {
  const auto digitAt = [&](std::size_t i) { return i < line.size() && line[i] >= '0' && line[i] <= '9'; };
  bool tight = false;      // a comma between two digits
  bool separated = false;  // two numbers with something but a comma between them
  for (std::size_t i = 0; i < line.size(); ++i) {
    tight = tight || (line[i] == ',' && i > 0 && digitAt(i - 1) && digitAt(i + 1));
    if (!digitAt(i)) continue;
    const std::size_t next = line.find_first_not_of(" ;\t", i + 1);
    separated = separated || (next != std::string_view::npos && next > i + 1 && line[next] != ',');
  }
  return tight && separated;
}

/// Numbers of one line. A comma or semicolon stands between two numbers (or at the end); blanks may.
std::vector<float> readLine(TextScanner& text) {
  const std::string_view line = text.rest().substr(0, text.rest().find_first_of("#\n"));
  if (hasDecimalCommas(line))
    text.refuse("found commas within numbers or beside other separators; write decimals with a point");
  std::vector<float> row;
  while (true) {
    text.skip(blanks);
    if (text.take("#")) text.until("");
    if (text.atEnd() || text.take("\n")) return row;
    row.push_back(static_cast<float>(text.number(between)));
    if (row.size() > static_cast<std::size_t>(maxFilterSide))
      text.refuse("found more than " + std::to_string(maxFilterSide) +
                  " numbers, the most that a filter is wide");
    text.skip(blanks);
    if (!text.take(",")) text.take(";");
  }
}

FilterBank parseRows(std::string bytes, const std::string& name) {
  TextScanner text(name, std::move(bytes));
  Filter filter{.height = 0, .width = 0, .taps = {}, .label = "filter0"};
  while (!text.atEnd()) {
    const std::size_t lineStart = text.place();
    const std::vector<float> row = readLine(text);
    if (row.empty()) continue;
    if (filter.height == 0) filter.width = static_cast<int>(row.size());
    if (static_cast<int>(row.size()) != filter.width) {
      text.refuseAt(lineStart, "found " + std::to_string(row.size()) + " numbers, expected " +
                                   std::to_string(filter.width) + " as in the first row");
    }
    if (++filter.height > maxFilterSide) {
      throw Error(ErrorCode::BadInput, name + ": has more than " + std::to_string(maxFilterSide) +
                                           " rows, the most that a filter is high");
    }
    filter.taps.insert(filter.taps.end(), row.begin(), row.end());
  }
  if (filter.height == 0) throw Error(ErrorCode::BadInput, name + ": has no numbers");
  filter.anchorX = filter.width / 2;
  filter.anchorY = filter.height / 2;
  return FilterBank({.name = name, .title = "Taps of a text file"}, {std::move(filter)});
}

}  // namespace

FilterBank readBankText(const std::filesystem::path& path) {
  // 127 x 127 numbers, generously.
  return parseRows(readTextFile(path, std::size_t{1} << 20), path.string());
}

BankFormat imageJFormat() {
  return {.name = "imagej",
          .title = "rows of numbers, as ImageJ's Convolver and spreadsheets take them",
          .endings = ".txt .csv",
          .oddOnly = true,
          .several = false,
          .warning = "ImageJ divides by the sum of the taps unless Normalize Kernel is off",
          .read = readBankText,
          .write = [](const FilterBank& bank) { return rowsText(bank[0], " ", "\n"); }};
}

}  // namespace bankside
