/// The steps of a recipe of maps as JSON.
///
///   { "do": "log", "plus": 0.05 }
///   { "name": "ridge", "bank": "vessel-bar:sigma=1/2/4", "combine": ["max:orientation", "mean:scale"] }
///   { "do": "quotient", "takes": ["ridge", "rms"], "floor": 1e-6 }
///   { "combine": ["max"] }
///
/// Every step has exactly one of "do" (with the operation's parameters beside it) and "bank" (with "mode"),
/// or "combine" alone; "name", "takes" and "combine" go with each. A step takes the one before it unless it
/// says others, the first the image.
#pragma once

#include <vector>

#include "core/filter_bank.h"
#include "core/maps/combine_over.h"
#include "core/maps/operation.h"
#include "core/run/json_node.h"

namespace bankside {

/// One step of a recipe of maps: a bank or an operation over what it takes, then combines.
struct RecipeStep {
  std::string name;                ///< what later steps take it by; empty: only the next one can
  std::vector<std::string> takes;  ///< names of steps, or "image"; empty: the step before
  std::string bank;                ///< by name or file; empty: none
  std::optional<FilterMode> mode = {};
  std::optional<Operation> operation = {};
  std::vector<CombineOver> combines = {};
  bool operator==(const RecipeStep&) const = default;
};

inline constexpr std::size_t mostSteps = 256;

/// Throws Error{BadInput} "FILE: /json/pointer: found X, expected Y".
std::vector<RecipeStep> parseSteps(const JsonNode& node);
Json stepsJson(const std::vector<RecipeStep>& steps);

}  // namespace bankside
