#include "gui/window/compute/color_map.h"

#include <cmath>
#include <cstddef>
#include <span>

namespace bankside::window {
namespace {

struct Anchor {
  double red, green, blue;  // 0..255
};

/// Linear between equally spaced anchors. 17 anchors of viridis and cividis stay within 3 of the published
/// tables. Source  viridis: van der Walt and Smith 2015 (CC0); cividis: Nunez et al., PLOS ONE 13(7), 2018.
ColorTable interpolate(std::span<const Anchor> anchors) {
  ColorTable table{};
  const auto last = static_cast<double>(anchors.size() - 1);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double at = static_cast<double>(i) / 255.0 * last;
    const auto left = static_cast<std::size_t>(std::min(std::floor(at), last - 1));
    const double t = at - static_cast<double>(left);
    const Anchor& a = anchors[left];
    const Anchor& b = anchors[left + 1];
    const auto mix = [t](double from, double to) {
      return static_cast<std::uint32_t>(std::lround(from + (to - from) * t));
    };
    table[i] = 0xff000000u | mix(a.red, b.red) << 16 | mix(a.green, b.green) << 8 | mix(a.blue, b.blue);
  }
  return table;
}

constexpr Anchor grey[] = {{0, 0, 0}, {255, 255, 255}};
constexpr Anchor viridis[] = {{68, 1, 84},    {72, 24, 106},  {71, 45, 123},  {66, 64, 134},  {59, 82, 139},
                              {51, 99, 141},  {44, 114, 142}, {38, 130, 142}, {33, 145, 140}, {31, 160, 136},
                              {40, 174, 128}, {63, 188, 115}, {94, 201, 98},  {132, 212, 75}, {173, 220, 48},
                              {216, 226, 25}, {253, 231, 37}};
constexpr Anchor cividis[] = {
    {0, 34, 78},     {8, 46, 106},    {40, 59, 110},   {61, 72, 108},   {79, 83, 108},   {94, 95, 110},
    {110, 108, 113}, {124, 121, 117}, {140, 134, 120}, {156, 147, 119}, {172, 161, 116}, {188, 174, 110},
    {205, 189, 102}, {222, 203, 92},  {240, 218, 78},  {252, 227, 67},  {254, 232, 56}};
constexpr Anchor blueWhiteRed[] = {{5, 48, 97},     {33, 102, 172},  {67, 147, 195},
                                   {146, 197, 222}, {247, 247, 247}, {244, 165, 130},
                                   {214, 96, 77},   {178, 24, 43},   {103, 0, 31}};

}  // namespace

const char* toString(ColorMap map) {
  switch (map) {
    case ColorMap::Grey: return "grey";
    case ColorMap::Viridis: return "viridis";
    case ColorMap::Cividis: return "cividis";
    case ColorMap::BlueWhiteRed: return "blue-white-red";
  }
  return "?";
}

std::optional<ColorMap> parseColorMap(std::string_view text) {
  for (const ColorMap map : allColorMaps) {
    if (text == toString(map)) return map;
  }
  return std::nullopt;
}

const ColorTable& colorTable(ColorMap map) {
  static const ColorTable tables[] = {interpolate(grey), interpolate(viridis), interpolate(cividis),
                                      interpolate(blueWhiteRed)};
  return tables[static_cast<std::size_t>(map)];
}

}  // namespace bankside::window
