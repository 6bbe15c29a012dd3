/// A side-by-side as text. The JSON schema is described in docs/user-guide.md; times are in microseconds
/// there.
#pragma once

#include <string>

#include "core/bench/comparison_report.h"

namespace bankside {

std::string toJson(const ComparisonReport& report);
std::string toCsv(const ComparisonReport& report);
std::string toMarkdown(const ComparisonReport& report);
/// Columns aligned with spaces, for a terminal.
std::string toTable(const ComparisonReport& report);

}  // namespace bankside
