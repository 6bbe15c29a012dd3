/// Part files (core/imageio/part_file.h) of one name, where a folder is not one's own to clear.
#pragma once

#include <filesystem>
#include <vector>

namespace bankside {

/// Removes part files that were to become `file` and whose owners have ended, and says which.
std::vector<std::filesystem::path> removeAbandonedPartsOf(const std::filesystem::path& file);

}  // namespace bankside
