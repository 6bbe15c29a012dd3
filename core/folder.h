/// What is in a folder.
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace bankside {

/// Its entries but itself and the one above, by name in byte order. Where memory ends it throws, while
/// std::filesystem's iterators end the program. `failure`: why the folder cannot be read.
std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder, std::error_code& failure);

}  // namespace bankside
