#include "kernels/cuda/multichannel/fma/few_channels.h"

#include <gtest/gtest.h>

#include "kernels/cuda/multichannel/fma/choose_summed.h"

namespace bankside::cuda {
namespace {

bool takes(const char* problem) {
  const ConvolutionProblem p = parseProblem(problem);
  return takesFewChannels(p, predictedSeconds(chooseSummed(p), p));
}

TEST(FewChannels, AreThoseOfColourImagesAndNotOfNetworks) {
  EXPECT_TRUE(takes("c3h2000w3000-f2k9-reflect101-u8:f32-max"));
  EXPECT_TRUE(takes("c2h4000w4000-f3k9-reflect101-f32:f32-max"));
  // Measured on an H100: 49 us by Algorithm 2, about 20 by tiles.
  EXPECT_TRUE(takes("c3h424w2462-f3k3x1-constant-u8:f32-argmax"));
  EXPECT_FALSE(takes("c64h128w128-f64k3-constant-f32:f32-none"));
  EXPECT_FALSE(takes("c16h256w256-f32k7-constant-f32:f32-none"));
}

TEST(FewChannels, NeedATileForEachInSharedMemory) {
  EXPECT_EQ(fewChannelsBytes(parseProblem("c3h99w99-f2k3-reflect101-u8:f32-none")),
            3u * sizeof(float) * (128 + 4) * (32 + 2));
  EXPECT_FALSE(takes("c12h4000w4000-f2k15-reflect101-u8:f32-max"));
}

/// Two filters are summed at once where their width is compiled and there are two.
TEST(FewChannels, SumTwoNarrowFiltersAtOnce) {
  EXPECT_EQ(fewChannelsPerPass(parseProblem("c3h99w99-f2k7-reflect101-u8:f32-none")), 2);
  EXPECT_EQ(fewChannelsPerPass(parseProblem("c3h99w99-f1k7-reflect101-u8:f32-none")), 1);
  EXPECT_EQ(fewChannelsPerPass(parseProblem("c3h99w99-f2k7x8-reflect101-u8:f32-none")), 1);
  EXPECT_EQ(fewChannelsFilters(parseProblem("c3h64w128-f3k3-reflect101-u8:f32-none"), 128, 64, 132), 2);
}

TEST(FewChannels, SplitFiltersOverBlocksWhereTilesAreFew) {
  const ConvolutionProblem p = parseProblem("c3h64w128-f32k3-reflect101-u8:f32-none");
  EXPECT_EQ(fewChannelsFilters(p, 128, 64, 132), 2) << "two filters are summed at once";
  EXPECT_EQ(fewChannelsFilters(p, 128 * 100, 32 * 100, 132), 32);
  const ConvolutionProblem combined = parseProblem("c3h64w128-f32k3-reflect101-u8:f32-max");
  EXPECT_EQ(fewChannelsFilters(combined, 128, 64, 132), 32);
}

}  // namespace
}  // namespace bankside::cuda
