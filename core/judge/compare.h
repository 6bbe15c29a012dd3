/// Is a result right, and by how much is it off? Every pixel is judged against the exact response.
#pragma once

#include <string>
#include <vector>

#include "core/engine.h"
#include "core/judge/verification.h"

namespace bankside {

class ExactRows;  // core/judge/exact_rows.h

/// Judges the planes that running `region` gave.
///
/// The rule for a pixel (u = 2^-24, bound from the plan: factor x sum of |tap x pixel|):
/// Beside every bound stands what is lost below 2^-126 (smallSums in exact.h), far below all but made-up
/// pixels.
///   f32       |out - exact| <= bound         f16   the same + half a unit in the last place of f16
///   u8, u16   |out - exact clamped to the type| <= 0.5 + bound
///   Max       within the largest bound of the F      Sum, Mean   sum of bounds + gamma_F x sum of magnitudes
///   AbsMax    within its own bound of a response whose magnitude is within two bounds of the largest
///   ArgMax    index of a response within two bounds of the maximum, value that response within its bound
///   Magnitude root of the sum of squared bounds + gamma_{F+2} x the result
/// Where the exact value is not finite, or passes f32's range, the result must not be finite either; where
/// only zero taps lie on non-finite pixels, either is right. Shapes  outputs as `outputPlanes(problem)`, each
/// [region.height, region.width] Errors  Cancelled; Error{BadInput} if the shapes do not fit
Verification verify(const ConvolutionProblem& problem, const FilterBank& bank, Source& source,
                    const Region& region, const std::vector<Image>& outputs, const ErrorBound& bound,
                    int threads = 0, std::stop_token stop = {});

/// As `verify`, for some of the region's rows, in increasing order, counted from its top. `kept`: exact rows
/// of the same image that other judges have asked for or will.
Verification verifyRows(const ConvolutionProblem& problem, const FilterBank& bank, Source& source,
                        const Region& region, const std::vector<Image>& outputs, const ErrorBound& bound,
                        const std::vector<int>& rows, int threads = 0, std::stop_token stop = {},
                        ExactRows* kept = nullptr);

/// How two results of one problem differ, pixel by pixel and without a rule: largest |a - b| and where.
/// Errors  Cancelled; Error{BadInput} if the shapes do not fit
Verification difference(const std::vector<Image>& a, const std::vector<Image>& b,
                        const std::stop_token& stop = {});

}  // namespace bankside
