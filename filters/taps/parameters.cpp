#include "filters/taps/parameters.h"

namespace bankside {

BankParameter orientationsParameter(const std::string& defaultValue) {
  return {.name = "orientations",
          .description = "directions, evenly over half a turn from 0 degrees",
          .defaultValue = defaultValue,
          .kind = ParameterKind::Integer,
          .min = 1,
          .max = 360};
}

BankParameter sizeParameter(const std::string& halfWidth, ParameterKind kind) {
  return {.name = "size",
          .description = "side in pixels; auto is 2 ceil(" + halfWidth + ") + 1",
          .defaultValue = "auto",
          .kind = kind,
          .min = 3,
          .max = maxFilterSide,
          .takesAuto = true};
}

BankParameter sideParameter(const std::string& defaultValue, ParameterKind kind, double min, double max) {
  return {.name = "size",
          .description = "side in pixels",
          .defaultValue = defaultValue,
          .kind = kind,
          .min = min,
          .max = max};
}

BankParameter crossSectionParameter(const std::string& defaultValue) {
  return {.name = "sigma",
          .description = "standard deviation of the cross-section in pixels",
          .defaultValue = defaultValue,
          .min = 0.3,
          .max = 20};
}

BankParameter barLengthParameter() {
  return {.name = "length",
          .description = "length of the bar in pixels",
          .defaultValue = "9",
          .min = 1,
          .max = 126};
}

}  // namespace bankside
