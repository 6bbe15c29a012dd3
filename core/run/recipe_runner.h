/// From a recipe to what runs it: the one way for window, headless program and tests.
#pragma once

#include "core/run/recipe.h"
#include "core/run/runner.h"

namespace bankside {

/// `rest` with what the recipe says: border, precision, modes, combines, activation, responses and whether to
/// verify against the reference. `banks` are those of the recipe's stages, in their order; the last one is
/// the runner's own. Threads, memory and the baseline are the front end's. Errors  Error{BadInput} unless
/// there is a bank for every stage
RunnerOptions runnerOptions(const Recipe& recipe, const std::vector<FilterBank>& banks,
                            RunnerOptions rest = {});

/// Throws as `runnerOptions` and as Runner's constructor.
Runner makeRunner(const Recipe& recipe, const std::vector<FilterBank>& banks, RunnerOptions rest,
                  ChooseEngine choose);

}  // namespace bankside
