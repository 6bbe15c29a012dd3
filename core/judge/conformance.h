/// Does an engine do what its contract says? One list of awkward problems and one way to check an engine on
/// one of them, shared by the test suite and by `bankside verify`.
#pragma once

#include <string>
#include <vector>

#include "core/engine.h"
#include "core/judge/compare.h"

namespace bankside {

/// Problem texts: shapes from 1 x 1 over one tile more or less to 70,000 in a row, filters from 1 x 1 to 127
/// x 127, every border, type, combine, channel mode, convention and anchor corner that has ever gone wrong
/// somewhere.
const std::vector<std::string>& conformanceProblems();

/// What the made image holds. Integers: every product and sum is exact, so that engines must agree bit for
/// bit. Random: sums round, engines are judged by their error bound. NonFinite: NaN and infinities among
/// random pixels (f16 and f32 sources only).
enum class MadePixels { Integers, Random, NonFinite };

const char* toString(MadePixels pixels);  ///< "integers", "random", "nonfinite"

/// Whether the kind of image exists for the problem's source type.
bool applies(MadePixels pixels, const ConvolutionProblem& problem);

struct ConformanceResult {
  bool passed = false;
  bool bitExact = false;  ///< the judgement was equality with `reference`, not the error bound
  std::string sentence;   ///< what is wrong, with the command that repeats it; empty if nothing is
  PlanInfo plan;
  Verification verification;  ///< worst place against the exact responses (not filled where bit-exact)
};

/// Makes an image and a bank from the problem alone and runs the engine twice: the whole image in memory on
/// one thread, and a part of it from a source and into a sink that are streams, on two threads.
///
/// Passes if
/// - nothing outside the sink's planes was touched,
/// - the whole equals `reference` bit for bit (integers, an engine whose error bound is pixelwise, no combine
///   whose sums pass 2^24), or lies within the engine's error bound (else),
/// - the part is the same bytes as in the whole (where the plan says so, pixels finite), or lies within the
/// bound.
///
/// An engine that refuses the made bank (one for filters of rank 1 only) is checked with a bank of rank 1.
///
/// Errors  those of `prepare` and `run`; Error{Unsupported} if the engine refuses the problem
ConformanceResult checkConformance(const Engine& engine, const Engine& reference,
                                   const ConvolutionProblem& problem, MadePixels pixels);

}  // namespace bankside
