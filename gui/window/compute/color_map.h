/// From a value between two levels to a colour. Grey, two maps that colour-blind readers see as evenly as
/// anyone, and a signed one for differences.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bankside::window {

enum class ColorMap { Grey, Viridis, Cividis, BlueWhiteRed };

inline constexpr ColorMap allColorMaps[] = {ColorMap::Grey, ColorMap::Viridis, ColorMap::Cividis,
                                            ColorMap::BlueWhiteRed};

const char* toString(ColorMap map);  ///< "grey", "viridis", "cividis", "blue-white-red"
std::optional<ColorMap> parseColorMap(std::string_view text);

/// 256 opaque colours, 0xffRRGGBB, from the low level to the high one.
using ColorTable = std::array<std::uint32_t, 256>;
const ColorTable& colorTable(ColorMap map);

/// What is neither a number nor finite: a colour that no map has.
inline constexpr std::uint32_t notFiniteColor = 0xffff00ff;

}  // namespace bankside::window
