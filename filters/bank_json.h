/// Bank files: JSON as filters/bank.schema.json describes it.
///
/// Files are read as if a stranger had sent them: size and depth are capped, unknown and doubled fields are
/// errors, and every complaint names the file, the place (a JSON pointer, or line and column where the text
/// is no JSON), what was found and what was expected.
#pragma once

#include <string>
#include <string_view>

#include "core/filter_bank.h"
#include "filters/formats/limits.h"

namespace bankside {

inline constexpr int bankSchemaVersion = 1;

/// The bank in `text`; `name` becomes the bank's name and stands in messages.
FilterBank parseBankJson(std::string_view text, const std::string& name);

/// Complete but for the name; taps in the shortest decimals that give the same f32.
/// `parseBankJson(writeBankJson(bank), bank.info().name)` is `bank`.
/// Errors  Error{BadInput} for text that is not UTF-8.
std::string writeBankJson(const FilterBank& bank);

}  // namespace bankside
