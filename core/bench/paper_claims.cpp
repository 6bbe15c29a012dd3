#include "core/bench/paper_claims.h"

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/text.h"

namespace bankside {
namespace {

/// The cells of one line of CSV, quotes taken off.
std::vector<std::string> cellsOf(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        cells.back() += c;
        ++i;
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

/// Counters come with commas between thousands.
double numberOf(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  const auto value = parseNumber(text);
  if (!value) throw Error(ErrorCode::BadInput, "\"" + text + "\" is no counter's value");
  return *value;
}

}  // namespace

double paperRatio(int filterSize, bool severalChannels) {
  if (severalChannels) return filterSize == 3 ? 1.305 : filterSize == 5 ? 1.453 : filterSize == 7 ? 1.308 : 0;
  return filterSize == 1 ? 6.16 : filterSize == 3 ? 6.43 : filterSize == 5 ? 2.90 : 0;
}

std::map<std::string, double> readCounters(std::string_view csv, std::string_view kernel) {
  std::map<std::string, double> counters;
  std::map<std::string, std::size_t> column;
  std::size_t columns = 0;  // names may be there twice
  std::string launch;
  for (const std::string& line : split(csv, '\n')) {
    const std::vector<std::string> cells = cellsOf(line);
    if (column.empty()) {
      if (cells.front() != "ID") continue;
      columns = cells.size();
      for (std::size_t i = 0; i < columns; ++i) column[cells[i]] = i;
      for (const char* name : {"Kernel Name", "Metric Name", "Metric Value"}) {
        if (!column.contains(name))
          throw Error(ErrorCode::BadInput, std::string("the table of counters has no column ") + name);
      }
      continue;
    }
    if (cells.size() < columns || cells[column["Kernel Name"]].find(kernel) == std::string::npos) continue;
    if (launch.empty()) launch = cells.front();
    if (cells.front() != launch) continue;
    counters[cells[column["Metric Name"]]] = numberOf(cells[column["Metric Value"]]);
  }
  if (counters.empty())
    throw Error(ErrorCode::BadInput, "there are no counters of a kernel " + std::string(kernel));
  return counters;
}

}  // namespace bankside
