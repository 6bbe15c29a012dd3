/// The part of a bank that has to run for one filter's response.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "gui/window/compute/work.h"

namespace bankside::window {

/// How a filter must be computed to have the bytes that it has in a run of the whole bank.
struct BankPart {
  FilterBank bank;
  std::vector<int> filters;  ///< which of the whole bank's they are; none where they are several problems
  std::vector<int> only;     ///< as PlanOptions has it: of `bank`
  std::string engine;        ///< by the name of its path
};

/// The filters that the bank's run takes in one problem, and the engine that it takes for them. Where the
/// bytes depend on all filters of a problem, or the rows that are made together do, they all run.
/// `source`: what the bank sees; `engine`: what was asked for; `filter`: the one that has to run; `others`:
/// those that may run with it
BankPart partFor(const RunSettings& settings, const Source& source, const SelectEngine& select,
                 const std::string& engine, int filter, const std::set<int>& others);

/// What a run of the combined map alone must have for the bytes that responses beside it would give it.
struct PlanFacts {
  std::string path;
  std::string shape;
  int rowsTogether = 1;
};

/// Those of the run of all responses; none where a run of the combined map alone may have other bytes.
std::optional<PlanFacts> factsOfResponses(const RunSettings& settings, const Source& source,
                                          const SelectEngine& select, const std::string& engine);

/// All filters.
BankPart wholeBank(const FilterBank& bank, const std::string& engine);

}  // namespace bankside::window
