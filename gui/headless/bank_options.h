/// The options that `filter` and `compare` share: which banks, over which planes, with which border.
#pragma once

#include <string>

#include "core/run/recipe.h"

namespace CLI {
class App;
}

namespace bankside::headless {

/// Options write the first stage into `recipe.stages.front()` and the second into `then`.
void addBankOptions(CLI::App& app, Recipe& recipe, Stage& then);

/// What --combine takes, for help and complaints.
inline constexpr const char* combineWords = "none, max, absmax, argmax, mean, sum, magnitude";

/// --precision, of filter, compare and bench cpu.
void addPrecision(CLI::App& app, Precision& precision);

/// Takes the second stage out of a recipe that was read, so that options can override it.
Stage takeSecondStage(Recipe& recipe);

/// Puts it back, if there is one. The sentence of a usage error, or "".
std::string joinStages(Recipe& recipe, const Stage& then);

}  // namespace bankside::headless
