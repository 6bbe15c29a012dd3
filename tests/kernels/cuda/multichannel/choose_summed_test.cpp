/// Which shape and split a problem over several channels gets, without a GPU.
#include "kernels/cuda/multichannel/choose_summed.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "kernels/engines.h"

namespace bankside::cuda {
namespace {

SummedChoice chosen(const std::string& text) { return chooseSummed(parseProblem(text)); }
const SummedVariant& variantOf(const SummedChoice& c) {
  return summedVariants()[static_cast<std::size_t>(c.variant)];
}

TEST(ChooseSummed, FindsAShapeForEverySize) {
  for (int width = 1; width <= 15; ++width) {
    for (int height = 1; height <= 15; ++height) {
      for (const char* count : {"f1", "f9", "f64"}) {
        const std::string text = "c5h40w50-" + std::string(count) + "k" + std::to_string(height) + "x" +
                                 std::to_string(width) + "-wrap-f32:f32-none";
        const ConvolutionProblem p = parseProblem(text);
        const SummedChoice choice = chooseSummed(p);
        ASSERT_GE(choice.variant, 0) << text;
        EXPECT_TRUE(fits(variantOf(choice), p)) << text;
        EXPECT_TRUE(fits(variantOf(paperChoice(p)), p)) << text;
      }
    }
  }
}

TEST(ChooseSummed, SplitsChannelsWhereAnImageIsSmall) {
  EXPECT_GT(chosen("c128h32w32-f128k5-constant-f32:f32-none").parts, 1);
  EXPECT_EQ(chosen("c16h1024w1024-f64k3-constant-f32:f32-none").parts, 1);
  EXPECT_EQ(chosen("c1h32w32-f128k5-constant-f32:f32-none").parts, 1);
}

/// A part without channels would be a block that sums nothing and is waited for.
TEST(ChooseSummed, GivesEveryPartAChannel) {
  for (int channels = 1; channels < 40; ++channels) {
    ConvolutionProblem p = parseProblem("c1h32w32-f32k3-constant-f32:f32-none");
    p.channels = channels;
    for (const SummedChoice& choice : fittingSummedChoices(p)) {
      const int each = channelsOfPart(channels, choice.parts);
      EXPECT_LT(each * (choice.parts - 1), channels) << channels;
      EXPECT_GE(each * choice.parts, channels) << channels;
    }
  }
}

TEST(ChooseSummed, TakesFewFiltersTogether) {
  EXPECT_EQ(variantOf(chosen("c3h2000w3000-f4k7-reflect101-u8:f32-none")).shape.filtersPerBlock, 8);
  EXPECT_GE(variantOf(chosen("c64h256w256-f64k7-reflect101-f32:f32-none")).shape.filtersPerBlock, 32);
}

TEST(ChooseSummed, KeepsThePapersShapesForThoseWhoAsk) {
  EXPECT_EQ(variantOf(paperChoice(parseProblem("c8h64w64-f64k5-wrap-f32:f32-none"))).name, "paper5");
  EXPECT_EQ(paperChoice(parseProblem("c8h64w64-f64k5-wrap-f32:f32-none")).parts, 1);
  EXPECT_EQ(variantOf(chosen("c64h256w256-f64k7-reflect101-f32:f32-none")).name.rfind("paper", 0),
            std::string::npos);
}

TEST(MultichannelEngine, StandsBeforeTheCpuAndRefusesWithASentence) {
  const Engine& engine = *findEngine("cuda:multichannel");
  EXPECT_TRUE(engine.supports(parseProblem("c3h9w9-f1k3-reflect101-f32:f32-none")));
  const Support large = engine.supports(parseProblem("c3h9w9-f1k17x3-reflect101-f32:f32-none"));
  EXPECT_FALSE(large);
  EXPECT_EQ(large.reason, "filter 17x3 is larger than the compiled set 1x1 to 15x15");
  const ConvolutionProblem colour = parseProblem("c3h9w9-f1k3-reflect101-u8:f32-none");
  EXPECT_EQ(selectEngine("auto", colour).name(), engine.available() ? "cuda" : "cpu");
}

}  // namespace
}  // namespace bankside::cuda
