/// What the tests of `cpu:direct` share.
#pragma once

#include "tests/kernels/cpu_path_checks.h"

namespace bankside::testing {

inline const Engine& cpuDirect() { return *findEngine("cpu:direct"); }
inline const Engine& reference() { return *findEngine("reference"); }

/// The integer suite: every answer is exact, so both engines give the same bytes.
inline ::testing::AssertionResult exactlyAsReference(const ConvolutionProblem& p, const FilterBank& bank,
                                                     const Image& image, int threads = 1) {
  const auto got = runWhole(cpuDirect(), p, bank, image, {threads});
  const auto result = sameImages(got, runWhole(reference(), p, bank, image, {1}));
  return result ? result : ::testing::AssertionFailure() << format(p) << ": " << result.message();
}

}  // namespace bankside::testing
