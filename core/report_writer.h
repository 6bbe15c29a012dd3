/// Reports as text. The JSON schemas are described in core/README.md; times are in microseconds there.
#pragma once

#include <string>

#include "core/run_report.h"

namespace bankside {

std::string toJson(const ComparisonReport& report);
std::string toCsv(const ComparisonReport& report);
std::string toMarkdown(const ComparisonReport& report);
/// Columns aligned with spaces, for a terminal.
std::string toTable(const ComparisonReport& report);

std::string toJson(const FilterReport& report);

}  // namespace bankside
