#include "core/run/recipe_runner.h"

#include <map>

#include "core/error.h"

namespace bankside {

FilterBank withMode(const FilterBank& bank, std::optional<FilterMode> mode) {
  BankInfo info = bank.info();
  info.mode = mode.value_or(info.mode);
  return FilterBank(std::move(info), bank.filters());
}

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

MapProgram makeMapProgram(const Recipe& recipe, const std::vector<FilterBank>& banks) {
  MapProgram program;
  program.border = recipe.border;
  std::map<std::string, int> numbers = {{"image", MapStep::image}};
  std::size_t bank = 0;
  for (const RecipeStep& from : recipe.steps) {
    const auto number = static_cast<int>(program.steps.size());
    MapStep step{from.name, {}, {}, from.operation, from.combines};
    for (const std::string& name : from.takes) step.takes.push_back(numbers.at(name));
    if (step.takes.empty()) step.takes.push_back(number - 1);  // before the first there is the image
    if (!from.bank.empty() && bank < banks.size()) step.bank = withMode(banks[bank], from.mode);
    if (!from.bank.empty()) ++bank;
    if (!from.name.empty()) numbers[from.name] = number;
    program.steps.push_back(std::move(step));
  }
  if (bank != banks.size()) {
    throw Error(ErrorCode::BadInput, "a recipe with " + std::to_string(bank) + " banks cannot run with " +
                                         std::to_string(banks.size()));
  }
  return program;
}

Runner makeRunner(const Recipe& recipe, const std::vector<FilterBank>& banks, RunOptions options,
                  ChooseEngine choose) {
  options.plan.precision = recipe.precision;
  options.verifyReference = recipe.verify == VerifyLevel::Reference || recipe.verify == VerifyLevel::All;
  if (recipe.ofMaps()) return Runner(makeMapProgram(recipe, banks), options, std::move(choose));
  return Runner(makePipeline(recipe, banks), options, std::move(choose));
}

}  // namespace bankside
