/// Settings as the command that repeats them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/bench/measure.h"
#include "core/run/recipe.h"

namespace bankside {

/// "bankside filter IMAGE --bank ... --output FOLDER". `page` from 0; it is named only if there are several.
std::string filterCommand(const std::filesystem::path& image, int page, int pages, const Recipe& recipe,
                          const std::string& output);

/// "bankside compare IMAGE --bank ... --engines cpu,opencv --seconds 1".
std::string compareCommand(const std::filesystem::path& image, int page, int pages, const Recipe& recipe,
                           const std::vector<std::string>& engines, const MeasureOptions& measure);

}  // namespace bankside
