/// Small files of text, read whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace bankside {

/// More than any report, table or bank has.
inline constexpr std::size_t largestTextFile = std::size_t{64} << 20;

/// Pipes too (`--bank <(command)`), whose writers are waited for; /dev/zero is a file beyond every limit.
/// Errors  Error{Io} naming the file if it cannot be read · Error{BadInput} larger than `largest` ·
///         Cancelled if the program is to end while a pipe has nothing to say
std::string readTextFile(const std::filesystem::path& file, std::size_t largest = largestTextFile);

}  // namespace bankside
