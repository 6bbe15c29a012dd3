/// What one judged pixel should be, and how far a right engine may be off.
#pragma once

#include <vector>

#include "core/engine.h"
#include "core/judge/verification.h"

namespace bankside {

inline constexpr double unitRoundoff = 0x1p-24;  ///< of float32

/// One exact response with how far an f32 result may lie from it; kept for the combines that need all of
/// them.
struct Candidate {
  double value = 0;
  double magnitude = 0;  ///< sum of |tap x pixel|
  double bound = 0;
};

/// Errors  Error{BadInput} unless `outputs` are planes of the problem over the region, and `fits`
void requireOutputs(const ConvolutionProblem& problem, const Region& region,
                    const std::vector<Image>& outputs, bool fits = true);

/// Expected value, tolerance, and whether what an engine gave is right.
struct Expectation {
  double value = 0;
  double tolerance = 0;
  bool right = true;
};

/// The rule of `verify` for finite responses: what one result of that type and combine should be and whether
/// `got` (ArgMax: with `index`) is. Shapes  one candidate without a combine, else F
Expectation expectResult(Combine combine, ElementType type, const std::vector<Candidate>& candidates,
                         double got, double index);

/// The one f32 value that an exact chain goes on with after a combine, and how far any right engine's may lie
/// from it. Where two responses of about one size and opposite signs compete for AbsMax, that spans both.
Expectation expectHandedOn(Combine combine, const std::vector<Candidate>& candidates);

/// Counts a judged pixel. `finite`: a finite value was expected there.
void recordPixel(Verification& v, int plane, int x, int y, double got, const Expectation& e, bool finite);

/// Whether f32 may overflow on the way to a result so large.
bool mayOverflow(Combine combine, const Expectation& e);

}  // namespace bankside
