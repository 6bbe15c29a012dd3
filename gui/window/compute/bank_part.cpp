#include "gui/window/compute/bank_part.h"

#include <algorithm>

#include "core/error.h"

namespace bankside::window {

BankPart partFor(const RunSettings& settings, const Source& source, const SelectEngine& select,
                 const std::string& engine, int filter) {
  const FilterBank& bank = *settings.bank;
  for (const UniformGroup& group : groupBySize(bank)) {
    const auto at = std::find(group.indices.begin(), group.indices.end(), filter);
    if (at == group.indices.end()) continue;
    auto problem = makeProblem(group.bank, source.channels(), source.height(), source.width(), source.type(),
                               ElementType::F32, settings.recipe.border, Combine::None);
    problem.mode = settings.recipe.stages.front().mode.value_or(problem.mode);
    const Engine& asked = select(engine, problem);
    const PlanOptions options{.threads = settings.threads, .precision = settings.recipe.precision};
    const auto whole = asked.prepare(problem, group.bank, options);
    const std::string path = pathName(asked.name(), whole->info());
    if (whole->traits().dependsOnWholeBank) return {group.bank, group.indices, path};
    ConvolutionProblem one = problem;
    one.filterCount = 1;
    const Engine& alone = select(path, problem);
    FilterBank oneBank(bank.info(), {bank[filter]});
    if (!alone.supports(one) ||
        alone.prepare(one, oneBank, options)->errorBound().rowsTogether != whole->errorBound().rowsTogether)
      return {group.bank, group.indices, path};
    return {std::move(oneBank), {filter}, path};
  }
  throw Error(ErrorCode::BadInput, "the bank has no such filter");
}

BankPart wholeBank(const FilterBank& bank, const std::string& engine) {
  const auto groups = groupBySize(bank);
  return {bank, groups.size() == 1 ? groups.front().indices : std::vector<int>(), engine};
}

}  // namespace bankside::window
