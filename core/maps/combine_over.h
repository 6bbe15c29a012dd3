/// Combining maps over one attribute, the others kept apart: the maximum over orientations at each scale,
/// then the mean over scales.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/maps/operation.h"
#include "core/problem.h"

namespace bankside {

/// All: of whatever attributes. Orientation, Scale: maps that agree in the other one.
enum class Attribute { All, Orientation, Scale };

struct CombineOver {
  Combine combine = Combine::Max;  ///< neither None nor ArgMax
  Attribute over = Attribute::All;
  bool operator==(const CombineOver&) const = default;
};

/// "max", "max:orientation", "mean:scale".
std::string format(const CombineOver& combine);
std::optional<CombineOver> parseCombineOver(std::string_view text);

/// Maps that become one, by number, in their order; in the order of their first ones.
struct CombinedMaps {
  MapName name;
  std::vector<std::size_t> maps;
};

/// Errors  Error{BadInput} for a map of which the attribute is not known
std::vector<CombinedMaps> combinedMaps(const CombineOver& combine, const std::vector<MapName>& names);

/// Each group of `combinedMaps` into one, by the rule of core/combine.h.
Maps combineOver(const CombineOver& combine, const Maps& in, const OperationContext& context);

std::vector<MapName> namesOf(const std::vector<CombinedMaps>& groups);

}  // namespace bankside
