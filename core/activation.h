/// What becomes of the maps of one bank, pixel by pixel, before the next bank sees them.
#pragma once

#include <optional>
#include <string_view>

namespace bankside {

/// None; Abs = |x|; Relu = x where x > 0, else 0; Square = x * x, rounded once to f32. NaN stays NaN.
enum class Activation { None, Abs, Relu, Square };

inline constexpr Activation allActivations[] = {Activation::None, Activation::Abs, Activation::Relu,
                                                Activation::Square};

const char* toString(Activation activation);  ///< "none", "abs", "relu", "square"
std::optional<Activation> parseActivation(std::string_view text);

/// In place, over `count` values: the definition that an engine which fuses it must repeat bit for bit.
void activate(Activation activation, float* values, int count);

}  // namespace bankside
