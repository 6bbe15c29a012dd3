/// Which shape and split a problem over several channels gets, without a GPU.
#include "kernels/cuda/multichannel/fma/choose_summed.h"

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

/// What is measured of a batch: more blocks need fewer parts, and an image of many takes no longer than one.
TEST(ChooseSummed, SplitsLessWhereABatchFillsTheDevice) {
  const ConvolutionProblem p = parseProblem("c128h32w32-f128k5-constant-f32:f32-none");
  const SummedChoice alone = chooseSummed(p);
  EXPECT_GT(alone.parts, 1);
  EXPECT_EQ(chooseSummed(p, 64).parts, 1);
  EXPECT_EQ(chooseSummed(p, 1), alone);
  double before = predictedSeconds(alone, p);
  for (const int images : {2, 4, 8, 16, 64}) {
    const double each = predictedSeconds(chooseSummed(p, images), p, images) / images;
    EXPECT_LT(each, before * 1.0001) << images;
    before = each;
  }
}

/// What a stack launches: the split, and so the bytes, are those of one image.
TEST(ChooseSummed, KeepsTheSplitOfOneImageForAStack) {
  int others = 0;
  for (const char* side : {"h32w32", "h64w64", "h100w70", "h256w256"}) {
    for (const char* channels : {"c3", "c16", "c64", "c128"}) {
      for (const char* filters : {"-f5k3", "-f32k5", "-f64k3", "-f128k7", "-f33k4"}) {
        const ConvolutionProblem p =
            parseProblem(std::string(channels) + side + filters + "-wrap-f32:f32-none");
        const SummedChoice alone = chooseSummed(p);
        const SummedChoice together = chooseTogether(alone, p);
        EXPECT_EQ(together.parts, alone.parts) << format(p);
        EXPECT_TRUE(fits(variantOf(together), p)) << format(p);
        const int images = imagesToFill(alone, p);
        EXPECT_LE(predictedSeconds(together, p, images), predictedSeconds(alone, p, images)) << format(p);
        EXPECT_TRUE(images > 1 || together == alone) << format(p);
        others += together == alone ? 0 : 1;
      }
    }
  }
  EXPECT_GT(others, 5);
}

TEST(ChooseSummed, GathersImagesUntilTheyFillTheDevice) {
  const auto gathered = [](const std::string& text) {
    const ConvolutionProblem p = parseProblem(text);
    return imagesToFill(chooseSummed(p), p);
  };
  EXPECT_EQ(gathered("c64h512w512-f64k3-wrap-f32:f32-none"), 1);
  EXPECT_EQ(gathered("c3h32w32-f4k3-wrap-f32:f32-none"), 64);
  EXPECT_GT(gathered("c64h64w64-f64k3-wrap-f32:f32-none"), 1);
  // Four waves of two blocks each on 132 multiprocessors, and what a grid's third dimension holds.
  EXPECT_EQ(imagesToFill(100, 2, 1), 11);
  EXPECT_EQ(imagesToFill(1056, 2, 1), 1);
  EXPECT_EQ(imagesToFill(1, 2, 4096), 15);
  EXPECT_EQ(imagesToFill(1, 2, 70000), 1);
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
