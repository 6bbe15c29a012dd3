/// From a recipe to what runs it: the one way for window, headless program and tests.
#pragma once

#include "core/run/recipe.h"
#include "core/run/runner.h"

namespace bankside {

/// The bank with that mode instead of its own.
FilterBank withMode(const FilterBank& bank, std::optional<FilterMode> mode);

/// What the recipe computes. `banks` are those of its stages, in their order. Errors  Error{BadInput} unless
/// there is a bank for every stage
Pipeline makePipeline(const Recipe& recipe, const std::vector<FilterBank>& banks);

/// The program of a recipe of maps. `banks` are those of the steps that have one, in their order.
/// Errors  Error{BadInput} unless there are as many
MapProgram makeMapProgram(const Recipe& recipe, const std::vector<FilterBank>& banks);

/// With the precision and the verification of the recipe; the rest of `options` is the front end's. Throws as
/// `makePipeline` and as Runner's constructor.
Runner makeRunner(const Recipe& recipe, const std::vector<FilterBank>& banks, RunOptions options,
                  ChooseEngine choose);

}  // namespace bankside
