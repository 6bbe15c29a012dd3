#include "gui/window/compute/bank_part.h"

#include <algorithm>

#include "core/error.h"

namespace bankside::window {

namespace {

ConvolutionProblem problemOf(const FilterBank& bank, const RunSettings& settings, const Source& source,
                             Combine combine) {
  auto problem = makeProblem(bank, source.channels(), source.height(), source.width(), source.type(),
                             ElementType::F32, settings.recipe.border, combine);
  problem.mode = settings.recipe.stages.front().mode.value_or(problem.mode);
  return problem;
}

PlanOptions optionsOf(const RunSettings& settings) {
  return {.threads = settings.threads, .precision = settings.recipe.precision};
}

}  // namespace

BankPart partFor(const RunSettings& settings, const Source& source, const SelectEngine& select,
                 const std::string& engine, int filter, const std::set<int>& others) {
  const FilterBank& bank = *settings.bank;
  for (const UniformGroup& group : groupBySize(bank)) {
    const auto at = std::find(group.indices.begin(), group.indices.end(), filter);
    if (at == group.indices.end()) continue;
    const ConvolutionProblem problem = problemOf(group.bank, settings, source, Combine::None);
    const Engine& asked = select(engine, problem);
    PlanOptions options = optionsOf(settings);
    for (std::size_t i = 0; i < group.indices.size(); ++i) {
      const int each = group.indices[i];
      if (each == filter || others.contains(each)) options.only.push_back(static_cast<int>(i));
    }
    const auto whole = asked.prepare(problem, group.bank, options);
    const std::string path = pathName(asked.name(), whole->info());
    if (whole->traits().dependsOnWholeBank) return {group.bank, group.indices, options.only, path};
    ConvolutionProblem one = problem;
    one.filterCount = 1;
    const Engine& alone = select(path, problem);
    FilterBank oneBank(bank.info(), {bank[filter]});
    if (!alone.supports(one) || alone.prepare(one, oneBank, optionsOf(settings))->errorBound().rowsTogether !=
                                    whole->errorBound().rowsTogether)
      return {group.bank, group.indices, options.only, path};
    return {std::move(oneBank), {filter}, {}, path};
  }
  throw Error(ErrorCode::BadInput, "the bank has no such filter");
}

BankPart wholeBank(const FilterBank& bank, const std::string& engine) {
  const auto groups = groupBySize(bank);
  return {bank, groups.size() == 1 ? groups.front().indices : std::vector<int>(), {}, engine};
}

std::optional<PlanFacts> factsOfResponses(const RunSettings& settings, const Source& source,
                                          const SelectEngine& select, const std::string& engine) {
  const FilterBank& bank = *settings.bank;
  const Combine combine = settings.recipe.stages.front().combine;
  // Sums of what is very small are not always those of the responses as they are written (0113).
  if (combine != Combine::Max && combine != Combine::AbsMax && combine != Combine::ArgMax)
    return std::nullopt;
  if (groupBySize(bank).size() > 1) return std::nullopt;
  const ConvolutionProblem apart = problemOf(bank, settings, source, Combine::None);
  PlanOptions options = optionsOf(settings);
  options.only = {0};
  const Engine& asked = select(engine, apart);
  const auto plan = asked.prepare(apart, bank, options);
  // Others choose another shape, and a part of their results may be made otherwise.
  if (asked.device() != "CPU" || !plan->traits().partEqualsWhole) return std::nullopt;
  const std::string path = pathName(asked.name(), plan->info());
  const ConvolutionProblem fused = problemOf(bank, settings, source, combine);
  if (!select(path, fused).supports(fused)) return std::nullopt;
  return PlanFacts{path, plan->info().shape, plan->errorBound().rowsTogether};
}

}  // namespace bankside::window
