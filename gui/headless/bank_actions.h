/// What `bankside banks` does beside listing, showing and exporting.
#pragma once

#include <string>

#include "gui/headless/banks_options.h"

namespace bankside::headless {

/// Errors  those of openBank and of the image; Error{BadInput} for a pixel outside
void analyzeBank(const BanksCommand& command, const std::string& commandText);

/// The exit code: 0 where a convention gives the result, else exitMismatch. Errors  those of openBank and of
/// the images; Error{BadInput} where their sizes differ
int detectConvention(const BanksCommand& command);

}  // namespace bankside::headless
