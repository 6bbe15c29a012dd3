/// Small files of text, read whole.
#pragma once

#include <filesystem>
#include <string>

namespace bankside {

/// Errors  Error{Io} naming the file if it cannot be read
std::string readTextFile(const std::filesystem::path& file);

/// Of a file that this program wrote, maybe an earlier one. Errors  Error{BadInput} if the versions differ
void requireSchemaVersion(int version, int ours);

}  // namespace bankside
