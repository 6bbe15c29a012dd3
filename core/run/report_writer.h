/// The report of `bankside filter` as JSON (docs/user-guide.md); times are in microseconds there.
#pragma once

#include <string>

#include "core/run/run_report.h"

namespace bankside {

std::string toJson(const FilterReport& report);

}  // namespace bankside
