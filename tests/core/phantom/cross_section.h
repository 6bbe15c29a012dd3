/// A ruler laid across the vessels of a phantom, at places that nothing else comes near.
#pragma once

#include <optional>
#include <vector>

#include "core/image.h"
#include "core/phantom/phantom.h"

namespace bankside::testing {

/// A place on a centre line, the direction of the vessel there, and the vessel's width, in pixels.
struct CrossSection {
  double x, y;
  double alongX, alongY;  ///< of length 1
  double width;
};

/// The middles of those segments about which, as far as `reach` pixels, lies one vessel alone that runs on
/// both ways and leaves its tangent by no more than `bend` pixels; none near the field's rim.
std::vector<CrossSection> crossSections(const Phantom& phantom, double reach, double bend);

/// A map's value between its pixels: Catmull-Rom splines both ways. Outside the map the nearest pixel counts.
double valueAt(const Image& map, double x, double y);

/// How far beside the centre line the map is largest, to the right of `along`: the top of a parabola through
/// the largest of samples a pixel apart and its neighbours. Nothing where the largest lies at an end, 4
/// pixels off. `phase`, below a pixel, moves all samples, so that none of them need lie on the true centre
/// line.
std::optional<double> centreBeside(const Image& map, const CrossSection& at, double phase);

/// Full width at half of the depth of a dark vessel whose centre was found `beside` the centre line: a
/// profile 16 pixels long, the mean over 9 pixels along the vessel, below the straight line through its ends.
double widthAtHalfDepth(const Image& map, const CrossSection& at, double beside);

}  // namespace bankside::testing
