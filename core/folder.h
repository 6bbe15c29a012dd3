/// What is in a folder.
#pragma once

#include <filesystem>
#include <functional>
#include <system_error>
#include <vector>

namespace bankside {

/// The name and, where the system tells it, the type (DT_DIR ...) of each entry but itself and the one above,
/// in no order. `failure`: why the folder cannot be read.
void forEachEntry(const std::filesystem::path& folder, std::error_code& failure,
                  const std::function<void(const char* name, unsigned char type)>& take);

/// Its entries but itself and the one above, by name in byte order. Where memory ends it throws, while
/// std::filesystem's iterators end the program. `failure`: why the folder cannot be read.
std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder, std::error_code& failure);

}  // namespace bankside
