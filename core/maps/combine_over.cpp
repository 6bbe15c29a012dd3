#include "core/maps/combine_over.h"

#include <algorithm>

#include "core/combine.h"
#include "core/error.h"
#include "core/maps/map_rows.h"
#include "core/text.h"

namespace bankside {
namespace {

const char* toString(Attribute attribute) {
  switch (attribute) {
    case Attribute::All: return "";
    case Attribute::Orientation: return "orientation";
    case Attribute::Scale: return "scale";
  }
  return "?";
}

}  // namespace

std::string format(const CombineOver& combine) {
  const std::string word = toString(combine.combine);
  return combine.over == Attribute::All ? word : word + ":" + toString(combine.over);
}

std::optional<CombineOver> parseCombineOver(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::optional<Combine> combine = parseCombine(text.substr(0, colon));
  if (!combine || *combine == Combine::None || *combine == Combine::ArgMax) return std::nullopt;
  if (colon == std::string_view::npos) return CombineOver{*combine, Attribute::All};
  for (const Attribute attribute : {Attribute::Orientation, Attribute::Scale}) {
    if (text.substr(colon + 1) == toString(attribute)) return CombineOver{*combine, attribute};
  }
  return std::nullopt;
}

std::vector<CombinedMaps> combinedMaps(const CombineOver& combine, const std::vector<MapName>& names) {
  std::vector<CombinedMaps> groups;
  for (std::size_t i = 0; i < names.size(); ++i) {
    MapName kept{bankside::toString(combine.combine)};
    const auto require = [&](bool known) {
      if (!known)
        throw Error(ErrorCode::BadInput, "\"" + format(combine) + "\": of " + names[i].label + " no " +
                                             toString(combine.over) + " is known");
    };
    if (combine.over == Attribute::Orientation) {
      require(names[i].orientation.has_value());
      kept.scale = names[i].scale;
      if (kept.scale) kept.label = "sigma" + formatNumber(*kept.scale) + "-" + kept.label;
    } else if (combine.over == Attribute::Scale) {
      require(names[i].scale.has_value());
      kept.orientation = names[i].orientation;
      if (kept.orientation) kept.label = "theta" + formatNumber(*kept.orientation) + "-" + kept.label;
    }
    const auto at = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.name == kept; });
    if (at == groups.end()) {
      groups.push_back({kept, {i}});
    } else {
      at->maps.push_back(i);
    }
  }
  return groups;
}

Maps combineOver(const CombineOver& combine, const Maps& in, const OperationContext& context) {
  const std::vector<CombinedMaps> groups = combinedMaps(combine, in.names);
  std::vector<MapName> names;
  for (const CombinedMaps& group : groups) names.push_back(group.name);
  Maps out = Maps::make(in.extent, std::move(names));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<std::size_t>& maps = groups[g].maps;
    const Combiner combiner{combine.combine, static_cast<int>(maps.size())};
    const auto to = out.view(g);
    forRows(context, to.height, [&](int y) {
      for (std::size_t i = 0; i < maps.size(); ++i)
        combiner.accumulate(static_cast<int>(i), in.view(maps[i]).row(y), to.width, to.row(y), nullptr);
      combiner.finish(to.width, to.row(y));
    });
  }
  return out;
}

std::vector<MapName> namesOf(const std::vector<CombinedMaps>& groups) {
  std::vector<MapName> names;
  for (const CombinedMaps& group : groups) names.push_back(group.name);
  return names;
}

}  // namespace bankside
