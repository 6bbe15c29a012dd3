/// Small files of text, read whole.
#pragma once

#include <filesystem>
#include <string>

namespace bankside {

/// Errors  Error{Io} naming the file if it cannot be read
std::string readTextFile(const std::filesystem::path& file);

}  // namespace bankside
