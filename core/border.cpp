#include "core/border.h"

#include <cmath>

#include "core/text.h"

namespace bankside {

const char* toString(BorderKind kind) {
  switch (kind) {
    case BorderKind::Constant: return "constant";
    case BorderKind::Replicate: return "replicate";
    case BorderKind::Reflect: return "reflect";
    case BorderKind::Reflect101: return "reflect101";
    case BorderKind::Wrap: return "wrap";
  }
  return "?";
}

std::string format(const Border& border) {
  std::string text = toString(border.kind);
  if (border.kind == BorderKind::Constant && border.value != 0.0f) text += "=" + formatNumber(border.value);
  return text;
}

std::optional<Border> parseBorder(std::string_view text) {
  for (const BorderKind kind : allBorderKinds) {
    if (text == toString(kind)) return Border{kind, 0.0f};
  }
  constexpr std::string_view prefix = "constant=";
  if (text.substr(0, prefix.size()) != prefix) return std::nullopt;
  const auto value = parseNumber(text.substr(prefix.size()));
  if (!value || !std::isfinite(static_cast<float>(*value))) return std::nullopt;
  return Border{BorderKind::Constant, static_cast<float>(*value)};
}

}  // namespace bankside
