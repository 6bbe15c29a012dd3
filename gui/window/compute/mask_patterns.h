/// Where a folder holds several masks of a picture, the patterns of names of which each picture has one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bankside::window {

/// "DIR/*_1stHO.png" and "DIR/*_2ndHO.png", those of most pictures first; none where no picture has several.
/// `place`: a folder, or a pattern of names in one.
std::vector<std::string> maskPatterns(const std::filesystem::path& place,
                                      const std::vector<std::filesystem::path>& images);

}  // namespace bankside::window
