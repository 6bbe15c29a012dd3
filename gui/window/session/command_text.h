/// Copy as command: the line that makes the headless program do what the window shows.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/bench/measure.h"
#include "core/run/recipe.h"

namespace bankside::window {

/// "bankside filter IMAGE --bank ... --output FOLDER". `page` from 0; it is named only if there are several.
std::string filterCommand(const std::filesystem::path& image, int page, int pages, const Recipe& recipe,
                          const std::string& output);

/// "bankside compare IMAGE --bank ... --engines cpu:direct,opencv:filter2D --seconds 1".
std::string compareCommand(const std::filesystem::path& image, int page, int pages, const Recipe& recipe,
                           const std::vector<std::string>& engines, const MeasureOptions& measure);

/// A word that a shell reads back as it is.
std::string shellWord(const std::string& word);

}  // namespace bankside::window
