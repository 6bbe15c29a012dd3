/// What the tests of `cpu:karatsuba` share.
#pragma once

#include "tests/kernels/cpu_direct_checks.h"

namespace bankside::testing {

inline const Engine& cpuKaratsuba() { return *findEngine("cpu:karatsuba"); }

inline ConvolutionProblem floats(const FilterBank& bank, int height, int width, Border border = {},
                                 Combine combine = Combine::None) {
  return makeProblem(bank, 1, height, width, ElementType::F32, ElementType::F32, border, combine);
}

inline FilterBank oneFilter(int height, int width, std::vector<float> taps) {
  return {{}, {makeFilter("f", height, width, std::move(taps))}};
}

/// Pixels up to 15 and taps up to 4: every sum of a group stays exact.
inline ::testing::AssertionResult exactlyAsDirect(const ConvolutionProblem& p, const FilterBank& bank,
                                                  const Image& image, int threads = 1) {
  const auto result = sameImages(runWhole(cpuKaratsuba(), p, bank, image, {threads}),
                                 runWhole(cpuDirect(), p, bank, image, {1}));
  return result ? result : ::testing::AssertionFailure() << format(p) << ": " << result.message();
}

}  // namespace bankside::testing
