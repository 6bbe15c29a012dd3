#include "core/batch/csv_rows.h"

#include "core/text.h"

namespace bankside {
namespace {

constexpr std::string_view lineEnds = "\r\n";  // of old files a '\r' alone, of others both

}  // namespace

CsvRows::CsvRows(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
  const std::string_view first = rest_.substr(0, rest_.find_first_of(lineEnds));
  if (first.find(',') == std::string_view::npos && first.find(';') != std::string_view::npos)
    separator_ = ';';
}

bool CsvRows::next(std::vector<std::string>& cells) {
  while (!rest_.empty()) {
    cells.assign(1, "");
    line_ = nextLine_;
    bool quoted = false;
    bool wasQuoted = false;
    std::size_t used = 0;
    const auto end = [&] {
      if (!wasQuoted) cells.back() = trimmed(cells.back());
      wasQuoted = false;
    };
    for (; used < rest_.size() && (quoted || lineEnds.find(rest_[used]) == lineEnds.npos); ++used) {
      const char letter = rest_[used];
      if (letter == '\n' || (letter == '\r' && !rest_.substr(used).starts_with(lineEnds))) ++nextLine_;
      if (letter == '"' && quoted && used + 1 < rest_.size() && rest_[used + 1] == '"') {
        cells.back() += rest_[++used];
      } else if (letter == '"' && (quoted || trimmed(cells.back()).empty())) {
        if (!quoted) cells.back().clear();
        quoted = !quoted;
        wasQuoted = true;
      } else if (letter == separator_ && !quoted) {
        end();
        cells.emplace_back();
      } else if (!wasQuoted || quoted) {
        cells.back() += letter;
      }
    }
    end();
    ++nextLine_;
    rest_.remove_prefix(used);
    rest_.remove_prefix(rest_.starts_with(lineEnds) ? 2 : rest_.empty() ? 0 : 1);
    if (cells.size() > 1 || !cells.front().empty()) return true;
  }
  return false;
}

}  // namespace bankside
