/// How large an image shows an eye, as a person knows it: by the camera's angle, or by its vessels.
#pragma once

#include <optional>
#include <string_view>

namespace bankside {

/// How wide the widest vessels are, the veins at the disc's rim, in degrees of visual angle: 0.125 mm, of
/// which 0.291 mm are a degree on the retina.
/// Source  ETDRS report 10, Ophthalmology 98(5), 1991, for the width; H. H. Emsley's reduced eye for the
/// degree
inline constexpr double widestVesselDegrees = 0.43;

constexpr double pixelsPerDegreeOf(double widestVessels) { return widestVessels / widestVesselDegrees; }

/// Pixels per degree that are some: widest vessels from 0.043 to 4300 pixels, whose quotients are rounded.
constexpr bool isScale(double pixelsPerDegree) {
  return pixelsPerDegree >= 0.1 * (1 - 1e-12) && pixelsPerDegree <= 10000 * (1 + 1e-12);
}

inline constexpr std::string_view widthPrefix = "width:";

/// Pixels per degree of "31", or of "width:13", where that many pixels are the widest vessels' width; nothing
/// of any other text.
std::optional<double> parseScale(std::string_view text);

}  // namespace bankside
