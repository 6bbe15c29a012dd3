/// The options that `filter` and `compare` share: which banks, over which planes, with which border.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/run/recipe.h"

namespace CLI {
class App;
}

namespace bankside::headless {

/// Options write into the first two stages of `recipe`, which has a second one without a bank from then on if
/// it had none.
void addBankOptions(CLI::App& app, Recipe& recipe);

/// --border, of filter, compare and banks analyze.
void addBorder(CLI::App& app, Border& border);
/// --mode and --then-mode.
void addMode(CLI::App& app, const std::string& name, std::optional<FilterMode>& mode,
             const std::string& help);
inline constexpr const char* modeHelp =
    "How taps are slid: correlation or convolution (default: as the bank says)";

/// What --combine takes, for help and complaints.
inline constexpr const char* combineWords = "none, max, absmax, argmax, mean, sum, magnitude";

/// --precision, of filter, compare and bench cpu.
void addPrecision(CLI::App& app, Precision& precision);

/// --max-pixels, of filter and compare.
void addMaxPixels(CLI::App& app, std::int64_t& most);

/// --threshold, of filter and evaluate, which is the recipe's from then on.
void addThreshold(CLI::App& app, Recipe& recipe, const std::string& help);

/// --scale of batch, whose images have theirs in its list.
void addScale(CLI::App& app, double& pixelsPerDegree);
/// --scale of filter and evaluate: a number, or a file.
void addScale(CLI::App& app, double& pixelsPerDegree, std::string& table);

/// --field, of filter and evaluate.
void addField(CLI::App& app, std::vector<std::string>& masks);

/// After the line was read: takes a second stage away that has no bank. The sentence of a usage error, or "".
std::string endStages(Recipe& recipe);

}  // namespace bankside::headless
