#include "core/run/map_steps.h"

#include "core/text.h"

namespace bankside {
namespace {

bool isChannelSum(const FilterBank& bank, std::size_t maps) {
  return static_cast<std::size_t>(bank.channels()) == maps;
}

}  // namespace

std::string nameOf(const MapStep& step, int number) {
  return step.name.empty() ? ordinal(static_cast<std::size_t>(number) + 1) + " step"
                           : "\"" + step.name + "\"";
}

std::vector<MapName> channelNames(int channels) {
  std::vector<MapName> names;
  for (int c = 0; c < channels; ++c) names.push_back({"channel" + std::to_string(c)});
  return names;
}

void nameAfter(const MapStep& step, bool last, std::vector<MapName>& names) {
  if (step.name.empty()) return;
  if (names.size() == 1) {
    names.front().label = step.name;
  } else if (!last) {
    for (MapName& name : names) name.label = step.name + "-" + name.label;
  }
}

void addPasses(PreparedStep& step, const Border& border, const PlanOptions& options,
               const ChooseEngine& choose) {
  const FilterBank& bank = *step.step.bank;
  const bool combined = !step.step.combines.empty();
  std::vector<MapName> filters;
  for (const Filter& f : bank.filters()) filters.push_back({f.label, f.orientation, f.scale});
  const Combine combine = combined ? step.step.combines.front().combine : Combine::None;
  if (combined) step.groups = combinedMaps(step.step.combines.front(), filters);
  if (step.groups.size() < 2) {
    step.passes.emplace_back(BankStage{bank, combine}, border, false, options, choose);
    return;
  }
  for (const CombinedMaps& group : step.groups) {
    std::vector<Filter> some;
    for (const std::size_t f : group.maps) some.push_back(bank.filters()[f]);
    step.passes.emplace_back(BankStage{FilterBank(bank.info(), std::move(some)), combine}, border, false,
                             options, choose);
  }
}

std::vector<MapName> bankNames(const PreparedStep& step, const std::vector<MapName>& seen) {
  const FilterBank& bank = *step.step.bank;
  if (bank.channels() != 1 && !isChannelSum(bank, seen.size())) {
    throw Error(ErrorCode::BadInput, "the bank sums over " + std::to_string(bank.channels()) +
                                         " channels and takes " + std::to_string(seen.size()) +
                                         (seen.size() == 1 ? " map" : " maps"));
  }
  std::vector<MapName> own;
  if (step.groups.empty()) {
    for (const Filter& f : bank.filters()) own.push_back({f.label, f.orientation, f.scale});
  } else {
    own = namesOf(step.groups);
  }
  if (isChannelSum(bank, seen.size())) return own;
  Maps::requireFew(own.size() * seen.size());
  // Passes are run one after another, each over every map.
  std::vector<MapName> names;
  const auto add = [&](const MapName& before, const MapName& after) {
    names.push_back({before.label + "-" + after.label,
                     after.orientation ? after.orientation : before.orientation,
                     after.scale ? after.scale : before.scale});
  };
  if (step.passes.size() == 1) {
    for (const MapName& before : seen) {
      for (const MapName& after : own) add(before, after);
    }
  } else {
    for (const MapName& after : own) {
      for (const MapName& before : seen) add(before, after);
    }
  }
  return names;
}

}  // namespace bankside
