/// Taps as text.
#pragma once

#include <string>

#include "core/filter_bank.h"

namespace bankside {

/// The shortest decimals that give the same f32, so that a format of text keeps it.
std::string tapText(float tap);

/// Rows of one plane, `between` between taps and `lineEnd` after a row.
std::string rowsText(const Filter& filter, const std::string& between, const std::string& lineEnd);

}  // namespace bankside
