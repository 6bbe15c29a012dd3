#include "core/run/recipe_runner.h"

#include "core/error.h"

namespace bankside {
namespace {

FilterBank withMode(const FilterBank& bank, std::optional<FilterMode> mode) {
  BankInfo info = bank.info();
  info.mode = mode.value_or(info.mode);
  return FilterBank(std::move(info), bank.filters());
}

}  // namespace

Pipeline makePipeline(const Recipe& recipe, const std::vector<FilterBank>& banks) {
  if (recipe.stages.empty() || banks.size() != recipe.stages.size()) {
    throw Error(ErrorCode::BadInput, "a recipe of " + std::to_string(recipe.stages.size()) +
                                         " stages cannot run with " + std::to_string(banks.size()) +
                                         " banks");
  }
  Pipeline pipeline;
  for (std::size_t i = 0; i < banks.size(); ++i) {
    const Stage& stage = recipe.stages[i];
    pipeline.stages.push_back({withMode(banks[i], stage.mode), stage.combine, stage.activation});
  }
  pipeline.border = recipe.border;
  pipeline.responses = recipe.responses;
  return pipeline;
}

Runner makeRunner(const Recipe& recipe, const std::vector<FilterBank>& banks, RunOptions options,
                  ChooseEngine choose) {
  options.plan.precision = recipe.precision;
  options.verifyReference = recipe.verify == VerifyLevel::Reference || recipe.verify == VerifyLevel::All;
  return Runner(makePipeline(recipe, banks), options, std::move(choose));
}

}  // namespace bankside
