/// What a run computes where a list of banks is not enough: steps over any earlier ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/border.h"
#include "core/filter_bank.h"
#include "core/maps/combine_over.h"
#include "core/maps/operation.h"

namespace bankside {

/// A bank over what it takes, or an operation, or neither; then combines, one after another. A bank sees the
/// maps as channels: filters of as many channels sum over them, filters of one are applied to each.
struct MapStep {
  static constexpr int image = -1;

  std::string name;
  std::vector<int> takes;  ///< earlier steps by number, or `image`; a bank takes one
  std::optional<FilterBank> bank = {};
  std::optional<Operation> operation = {};
  std::vector<CombineOver> combines = {};
};

struct MapProgram {
  std::vector<MapStep> steps;  ///< the last one's maps are the results
  Border border;               ///< of every bank
};

}  // namespace bankside
