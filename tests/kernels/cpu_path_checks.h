/// What the tests of every path on the CPU share, and of kernels that run on it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "core/judge/compare.h"
#include "kernels/engines.h"
#include "tests/support/made_images.h"

namespace bankside::testing {

inline ::testing::AssertionResult sameImages(const std::vector<Image>& a, const std::vector<Image>& b) {
  if (a.size() != b.size()) return ::testing::AssertionFailure() << a.size() << " planes, not " << b.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!samePixels(a[i], b[i])) {
      return ::testing::AssertionFailure() << difference(a, b).place() << " (plane " << i << ")";
    }
  }
  return ::testing::AssertionSuccess();
}

/// `part` holds the bytes that `whole` has in the region.
inline void expectPartOf(const std::vector<Image>& whole, const std::vector<Image>& part,
                         const Region& region) {
  ASSERT_EQ(whole.size(), part.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const auto size = sizeOf(whole[i].type());
    for (int y = 0; y < region.height; ++y) {
      ASSERT_EQ(0,
                std::memcmp(part[i].plane(0).row(y),
                            whole[i].plane(0).row(region.y + y) + static_cast<std::size_t>(region.x) * size,
                            static_cast<std::size_t>(region.width) * size))
          << "plane " << i << " row " << y;
    }
  }
}

/// Results of 8 MB and more are written around the caches, a part of them is not: their bytes are the same.
inline void expectLargeAsSmall(const Engine& engine, const ConvolutionProblem& p, const FilterBank& bank,
                               const Image& image) {
  const auto whole = runWhole(engine, p, bank, image, {1});
  const Region top{0, 0, image.width(), 101};
  ImageSource source(image);
  ImageSink sink(p, top);
  engine.prepare(p, bank, {1})->run(source, sink, top, {});
  expectPartOf(whole, sink.images(), top);
}

/// Runs and judges; remembers the largest error as a part of the bound.
inline ::testing::AssertionResult meetsBound(const Engine& engine, const ConvolutionProblem& p,
                                             const FilterBank& bank, const Image& image,
                                             double* ratio = nullptr, int threads = 1) {
  const auto plan = engine.prepare(p, bank, {threads});
  ImageSource source(image);
  ImageSink sink(p, wholeImage(p));
  for (Image& plane : sink.images()) {
    std::memset(plane.plane(0).data, 0xff,
                static_cast<std::size_t>(plane.strideBytes()) * static_cast<std::size_t>(plane.height()));
  }
  plan->run(source, sink, wholeImage(p), {});
  const Verification v = verify(p, bank, source, wholeImage(p), sink.images(), plan->errorBound());
  if (ratio != nullptr) *ratio = std::max(*ratio, v.maxBoundRatio);
  if (v.passed && v.checked > 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << format(p) << " " << toString(plan->info()) << ": " << v.place();
}

}  // namespace bankside::testing
