#include "core/activation.h"

#include <cmath>

namespace bankside {

const char* toString(Activation activation) {
  switch (activation) {
    case Activation::None: return "none";
    case Activation::Abs: return "abs";
    case Activation::Relu: return "relu";
    case Activation::Square: return "square";
  }
  return "?";
}

std::optional<Activation> parseActivation(std::string_view text) {
  for (const Activation activation : allActivations) {
    if (text == toString(activation)) return activation;
  }
  return std::nullopt;
}

void activate(Activation activation, float* values, int count) {
  switch (activation) {
    case Activation::None: break;
    case Activation::Abs:
      for (int i = 0; i < count; ++i) values[i] = std::fabs(values[i]);
      break;
    case Activation::Relu:
      // Not "x > 0 ? x : 0", which would make a NaN vanish.
      for (int i = 0; i < count; ++i) values[i] = values[i] <= 0 ? 0.0f : values[i];
      break;
    case Activation::Square:
      for (int i = 0; i < count; ++i) values[i] *= values[i];
      break;
  }
}

}  // namespace bankside
