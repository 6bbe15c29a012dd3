#include "core/run/image_scale.h"

#include "core/text.h"

namespace bankside {

std::optional<double> parseScale(std::string_view text) {
  if (!text.starts_with(widthPrefix)) return parseNumber(text);
  const std::optional<double> width = parseNumber(text.substr(widthPrefix.size()));
  return width ? std::optional(pixelsPerDegreeOf(*width)) : std::nullopt;
}

}  // namespace bankside
