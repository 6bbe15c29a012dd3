/// What `bankside filter` is asked for, and other commands that filter images.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/run/recipe.h"

namespace CLI {
class App;
}

namespace bankside::headless {

struct Page;

struct FilterCommand {
  std::vector<std::string> inputs;
  std::string output;  ///< empty: nothing is written
  Recipe recipe;
  std::string recipeFile;       ///< where the recipe is from; empty: the command line
  std::string saveRecipe;       ///< empty: not asked for
  bool thresholdGiven = false;  ///< on the command line, over the recipe's
  std::string report;
  int page = 0;  ///< 1-based; 0: all
  int threads = 0;
  std::vector<int> devices = {};   ///< GPUs; none: all
  double pixelsPerDegree = 0;      ///< 0: not said
  std::string scaleTable;          ///< a CSV file with each image's; empty: none
  std::vector<std::string> field;  ///< masks of the fields of view; empty: steps find them
  std::int64_t memory = std::int64_t{1} << 30;
  bool memorySaid = false;  ///< else maps that must be held whole may take more, where that is free
  std::int64_t maxPixels = ImageLimits{}.maxPixels;
  bool untrusted = false;  ///< images are decoded in a sandbox
  bool force = false;
  bool progress = true;
  /// Takes every page that is done or failed, in the order of the inputs, one at a time, instead of a line of
  /// the standard output and of notes in the log. It throws nothing.
  std::function<void(const Page&)> told = {};
};

/// The options of `filter` that say what is computed and written, and --recipe. `batch` plans with them.
void addSettings(CLI::App& app, FilterCommand& command);
/// After the line was read: the sentence of a usage error, or "".
std::string endSettings(CLI::App& app, FilterCommand& command);
/// --threads, --device, --memory and --untrusted.
void addRunMemory(CLI::App& app, FilterCommand& command);

inline constexpr const char* pagesOrPage =
    "--page picks one page and --channel pages or pages-max takes all of them; give one of the two";

}  // namespace bankside::headless
