#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/imageio/input_file.h"
#include "core/text.h"
#include "filters/bank_array.h"
#include "filters/bank_json.h"

namespace bankside {
namespace {

constexpr std::string_view between = ",; \t";

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

/// As lines of a text of any system: without a byte order mark, ends being line feeds.
std::string plainLines(std::string text) {
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      plain += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      plain += '\n';
    }
  }
  return plain;
}

/// Numbers of one line. A comma or semicolon stands between two numbers (or at the end); blanks may.
std::vector<float> readLine(const InputFile& file, std::string_view line, int number) {
  const auto refuse = [&](const std::string& sentence) {
    throw Error(ErrorCode::BadInput, file.path().string() + ":" + std::to_string(number) + ": " + sentence);
  };
  line = line.substr(0, line.find('#'));
  if (hasDecimalCommas(line)) {
    refuse("found commas within numbers or beside other separators; write decimals with a point");
  }
  std::vector<float> row;
  while (true) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string_view::npos) return row;
    line.remove_prefix(start);
    const std::string_view word = line.substr(0, line.find_first_of(between));
    const auto value = parseNumber(word);
    if (!value || !(std::fabs(*value) < roundsToInfinity)) {
      refuse("found \"" + std::string(word.empty() ? line.substr(0, 1) : word.substr(0, 40)) +
             "\", expected a number that fits 32-bit float");
    }
    row.push_back(static_cast<float>(*value));
    if (row.size() > static_cast<std::size_t>(maxFilterSide)) {
      refuse("found more than " + std::to_string(maxFilterSide) + " numbers, the most that a filter is wide");
    }
    line.remove_prefix(word.size());
    const std::size_t next = line.find_first_not_of(" \t");
    if (next == std::string_view::npos) return row;
    line.remove_prefix(next);
    if (line[0] == ',' || line[0] == ';') line.remove_prefix(1);
  }
}

}  // namespace

FilterBank readBankText(const std::filesystem::path& path) {
  const InputFile file(path);
  // 127 x 127 numbers, generously.
  constexpr std::int64_t largest = std::int64_t{1} << 20;
  if (file.size() > largest) file.fail(ErrorCode::Limit, "is larger than one filter can be as text (1 MiB)");
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  text.resize(file.readSome(0, text.data(), text.size()));
  Filter filter{.height = 0, .width = 0, .taps = {}, .label = "filter0"};
  int number = 0;
  for (const std::string& line : split(plainLines(std::move(text)), '\n')) {
    const std::vector<float> row = readLine(file, line, ++number);
    if (row.empty()) continue;
    if (filter.height == 0) filter.width = static_cast<int>(row.size());
    if (static_cast<int>(row.size()) != filter.width) {
      throw Error(ErrorCode::BadInput, path.string() + ":" + std::to_string(number) + ": found " +
                                           std::to_string(row.size()) + " numbers, expected " +
                                           std::to_string(filter.width) + " as in the first row");
    }
    if (++filter.height > maxFilterSide) {
      file.damaged("has more than " + std::to_string(maxFilterSide) +
                   " rows, the most that a filter is high");
    }
    filter.taps.insert(filter.taps.end(), row.begin(), row.end());
  }
  if (filter.height == 0) file.damaged("has no numbers");
  filter.anchorX = filter.width / 2;
  filter.anchorY = filter.height / 2;
  return FilterBank({.name = path.string(), .title = "Taps of a text file"}, {std::move(filter)});
}

}  // namespace bankside
