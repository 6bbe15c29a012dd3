/// The blood vessels of a made-up retina: trunks out of the optic disc, branches by Murray's law.
#pragma once

#include <cstdint>
#include <vector>

namespace bankside {

/// Draws of whole-number bits (splitmix64), the same on every machine.
class PhantomRandom {
 public:
  explicit PhantomRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  ///< [0, 1)
  double between(double a, double b) { return a + (b - a) * uniform(); }

 private:
  std::uint64_t state_;
};

/// A straight piece of vessel: all points within a radius, linear from end to end, of its centre line.
struct VesselSegment {
  double x0, y0, x1, y1;
  double radius0, radius1;
  bool artery;
};

/// Where things lie in the eye. The field of view is the unit circle, y points down.
struct RetinaLayout {
  double discX, discY, discRadius;
  double foveaX, foveaY;
};

RetinaLayout makeRetinaLayout(std::uint64_t seed);

/// Every vessel down to `leastRadius`, thick ones first; unit circle coordinates.
std::vector<VesselSegment> growVesselTree(const RetinaLayout& layout, std::uint64_t seed, double leastRadius);

}  // namespace bankside
