/// The paper's communication formulas, for the compiled tiles.
#include "kernels/cuda/paper/traffic.h"

#include <gtest/gtest.h>

#include "core/bench/paper_claims.h"
#include "core/bench/paper_grid.h"
#include "kernels/cuda/multichannel/fma/summed_variant.h"

namespace bankside::cuda {
namespace {

BlockShape shape(const char* name) {
  return summedVariants()[static_cast<std::size_t>(findSummedVariant(name))].shape;
}

/// 256 x 256 pixels, 64 channels, 64 filters: what hardware counters came near to on an H200 (3.67 and 9.32
/// million loads, 112 and 247 MB).
TEST(Traffic, IsWhatAWarpLoads) {
  const ConvolutionProblem k3 = problemOf(GeneralCell{256, 3, 64, 64});
  const ConvolutionProblem k7 = problemOf(GeneralCell{256, 7, 64, 64});
  EXPECT_EQ(blocksOf(shape("wide3"), k3), 8 * 64);
  // A channel, warp and 8 x 8 sums: 3 rows of 3 units of pixels and 3 x 2 units of taps.
  EXPECT_EQ(sharedLoads(shape("wide3"), k3), 512.0 * 4 * 64 * 27);
  EXPECT_EQ(sharedLoads(shape("double7"), k7), 256.0 * 4 * 64 * 140);
  EXPECT_EQ(globalLoadBytes(shape("wide3"), k3), 4.0 * 512 * 64 * (34 * 6 + 9 * 64));
  EXPECT_NEAR(globalLoadBytes(shape("double7"), k7), 240e6, 1e6);
  EXPECT_EQ(gemmLoadBytes(shape("wide3"), k3), 4.0 * 512 * 64 * (9 * 32 * 4 + 9 * 64));
}

TEST(Traffic, OfAlgorithm1IsTheImageAndHalos) {
  EXPECT_DOUBLE_EQ(specialPixelShare(1, 256, 8, 1), 1);
  // Two units of two pixels beside 256, two rows below 8.
  EXPECT_DOUBLE_EQ(specialPixelShare(2, 256, 8, 3), 260.0 * 10 / (256 * 8));
}

TEST(Traffic, ComesToThePapersSharesWithoutUnitsAndColumns) {
  // Whole 16-byte units: 12 floats where 10 are needed.
  EXPECT_DOUBLE_EQ(paperSharedShare(8, 3), 10.0 / 24);
  EXPECT_DOUBLE_EQ(sharedPixelShare(shape("wide3"), 3), 12.0 / 24);
  EXPECT_DOUBLE_EQ(paperSharedShare(16, 3), 18.0 / 48);
  EXPECT_DOUBLE_EQ(sharedPixelShare(shape("paper3"), 3), 20.0 / 48);
  for (const SummedVariant& v : summedVariants()) {
    const int k = v.filterWidth;
    const double paper = paperSharedShare(v.shape.pixelsPerThread, k);
    EXPECT_GE(sharedPixelShare(v.shape, k), paper) << v.name;
    EXPECT_LT(sharedPixelShare(v.shape, k), paper + 4.0 / (v.shape.pixelsPerThread * k)) << v.name;
  }
  // The halo shared in both directions leaves less than 1 / K, and a very wide and flat tile exactly that.
  EXPECT_LT(globalPixelShare(shape("paper7"), 7, 7), paperGlobalShare(7));
  EXPECT_NEAR(globalPixelShare({8, 1 << 20, 1, 1, 4, 4, 2}, 5, 5), paperGlobalShare(5), 1e-5);
  EXPECT_DOUBLE_EQ(globalPixelShare(shape("paper3"), 3, 3), 34.0 * 6 / (9 * 32 * 4));
  EXPECT_DOUBLE_EQ(globalPixelShare(shape("paper3"), 1, 1), 1.0);
}

}  // namespace
}  // namespace bankside::cuda
