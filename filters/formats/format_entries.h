/// What the formats' list is made of; one file a format.
#pragma once

#include "filters/formats/bank_formats.h"

namespace bankside {

BankFormat imageJFormat();
BankFormat magickFormat();
BankFormat vipsFormat();
BankFormat yamlFormat();
BankFormat jsonFormat();
BankFormat npyFormat();

/// The shortest decimals that give the same f32, so that a format of text keeps it.
std::string tapText(float tap);

/// Rows of one plane, `between` between taps and `lineEnd` after a row.
std::string rowsText(const Filter& filter, const std::string& between, const std::string& lineEnd);

}  // namespace bankside
