/// What `bankside filter` is asked for, and other commands that filter images.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/recipe.h"

namespace bankside::headless {

struct FilterCommand {
  std::vector<std::string> inputs;
  std::string output;  ///< empty: nothing is written
  Recipe recipe;
  std::string recipeFile;  ///< where the recipe is from; empty: the command line
  std::string saveRecipe;  ///< empty: not asked for
  std::string report;
  int page = 0;  ///< 1-based; 0: all
  int threads = 0;
  double pixelsPerDegree = 0;      ///< 0: not said
  std::vector<std::string> field;  ///< masks of the fields of view; empty: steps find them
  std::int64_t memory = std::int64_t{1} << 30;
  std::int64_t maxPixels = ImageLimits{}.maxPixels;
  bool force = false;
  bool progress = true;
};

}  // namespace bankside::headless
