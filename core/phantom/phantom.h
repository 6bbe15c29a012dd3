/// A fundus photograph made from a formula, with its exact truth: something to show, and to be judged by,
/// where no real photograph with expert marks may be had.
///
/// Truth and picture come from one geometry (core/phantom/phantom_tree). Only + - * / and square roots of
/// doubles and whole-number random bits are used, so that one seed gives the same bytes on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "core/image.h"
#include "core/phantom/phantom_tree.h"

namespace bankside {

struct PhantomOptions {
  int size = 512;          ///< side of the square picture in pixels, 64 to 8192
  std::uint64_t seed = 1;  ///< another seed, another eye
  double noise = 2.0;      ///< standard deviation of the sensor's noise in grey levels, 0 to 50
};

/// A vessel counts where a pixel's middle lies in it; so does the field of view.
struct Phantom {
  Image photograph;       ///< u8 [3,H,W], red, green, blue; 0 outside the field of view
  Image vessels;          ///< u8 [1,H,W], 255 in a vessel, else 0
  Image fieldOfView;      ///< u8 [1,H,W], 255 inside, else 0
  Image centreLineWidth;  ///< f32 [1,H,W], on pixels that a centre line crosses the width in pixels
  std::vector<VesselSegment> segments;  ///< the geometry itself, in pixels
};

/// Draws the phantom of these options.
/// Errors  Error{BadInput} for a size or noise out of range · Cancelled if the program is to end
/// Source  branching after C. D. Murray, "The physiological principle of minimum work applied to the angle of
///         branching of arteries", J. General Physiology 9, 1926: r0^3 = r1^3 + r2^3 and its angles. Layout,
///         colours and the rest are drawn after the look of fundus photographs; nothing is measured.
Phantom makePhantom(const PhantomOptions& options = {});

}  // namespace bankside
