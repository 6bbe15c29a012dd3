#include "core/run/recipe_runner.h"

#include "core/error.h"

namespace bankside {

RunnerOptions runnerOptions(const Recipe& recipe, const std::vector<FilterBank>& banks, RunnerOptions rest) {
  const std::size_t stages = recipe.stages.size();
  if (stages < 1 || stages > Recipe::maxStages || banks.size() != stages) {
    throw Error(ErrorCode::BadInput, "a recipe of " + std::to_string(stages) + " stages cannot run with " +
                                         std::to_string(banks.size()) + " banks");
  }
  const Stage& last = recipe.stages.back();
  rest.border = recipe.border;
  rest.precision = recipe.precision;
  rest.mode = last.mode;
  rest.combine = last.combine;
  rest.responses = recipe.responses;
  rest.verifyReference = recipe.verify == VerifyLevel::Reference || recipe.verify == VerifyLevel::All;
  rest.first.reset();
  if (stages > 1) {
    const Stage& first = recipe.stages.front();
    rest.first = FirstStage{banks.front(), first.mode, first.combine, first.activation};
  }
  return rest;
}

Runner makeRunner(const Recipe& recipe, const std::vector<FilterBank>& banks, RunnerOptions rest,
                  ChooseEngine choose) {
  RunnerOptions options = runnerOptions(recipe, banks, std::move(rest));
  return Runner(banks.back(), std::move(options), std::move(choose));
}

}  // namespace bankside
