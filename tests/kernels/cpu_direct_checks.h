/// What the tests of `cpu:direct` share.
#pragma once

#include <gtest/gtest.h>

#include "core/compare.h"
#include "kernels/engines.h"
#include "tests/support/made_images.h"

namespace bankside::testing {

inline const Engine& cpuDirect() { return *findEngine("cpu:direct"); }
inline const Engine& reference() { return *findEngine("reference"); }

inline ::testing::AssertionResult sameImages(const std::vector<Image>& a, const std::vector<Image>& b) {
  if (a.size() != b.size()) return ::testing::AssertionFailure() << a.size() << " planes, not " << b.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!samePixels(a[i], b[i])) {
      return ::testing::AssertionFailure() << difference(a, b).place() << " (plane " << i << ")";
    }
  }
  return ::testing::AssertionSuccess();
}

/// The integer suite: every answer is exact, so both engines give the same bytes.
inline ::testing::AssertionResult exactlyAsReference(const ConvolutionProblem& p, const FilterBank& bank,
                                                     const Image& image, int threads = 1) {
  const auto got = runWhole(cpuDirect(), p, bank, image, {threads});
  const auto result = sameImages(got, runWhole(reference(), p, bank, image, {1}));
  return result ? result : ::testing::AssertionFailure() << format(p) << ": " << result.message();
}

}  // namespace bankside::testing
