#include "core/problem.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

TEST(Problem, FormatsAsDocumented) {
  ConvolutionProblem p{.height = 584,
                       .width = 565,
                       .filterCount = 12,
                       .filterHeight = 15,
                       .filterWidth = 15,
                       .anchorX = 7,
                       .anchorY = 7,
                       .srcType = ElementType::U8,
                       .combine = Combine::Max};
  EXPECT_EQ(format(p), "c1h584w565-f12k15-reflect101-u8:f32-max");
  EXPECT_EQ(parseProblem("c1h584w565-f12k15-reflect101-u8:f32-max"), p);
  EXPECT_EQ(format(parseProblem("c3h64w64-f4k3x5a0x2-constant=-3.5-f32:f32-none-convolution-perplane")),
            "c3h64w64-f4k3x5a0x2-constant=-3.5-f32:f32-none-convolution-perplane");
}

TEST(Problem, EveryCombinationReadsBack) {
  for (const BorderKind kind : allBorderKinds) {
    for (const float value : {0.0f, -3.5f, 1e-20f, 1e20f, -1.5e-7f}) {
      if (kind != BorderKind::Constant && value != 0) continue;
      for (const ElementType src : allElementTypes) {
        for (const Combine combine : allCombines) {
          for (const FilterMode mode : {FilterMode::CrossCorrelation, FilterMode::Convolution}) {
            const ConvolutionProblem p{
                .channels = 3,
                .height = 7,
                .width = 70'000,
                .filterCount = 5,
                .filterHeight = 4,
                .filterWidth = 6,
                .anchorX = 5,
                .anchorY = 0,
                .mode = mode,
                .channelMode = mode == FilterMode::Convolution ? ChannelMode::PerPlane : ChannelMode::Summed,
                .border = {kind, value},
                .srcType = src,
                .combine = combine};
            EXPECT_EQ(parseProblem(format(p)), p) << format(p);
          }
        }
      }
    }
  }
}

TEST(Problem, NamesThePartThatCannotBeRead) {
  for (const char* text : {"", "c1", "c0h1w1-f1k1-wrap-u8:f32-none", "c1h1w1-f1k3a3x0-wrap-u8:f32-none",
                           "c1h1w1-f1k3-mirror-u8:f32-none", "c1h1w1-f1k3-wrap-u9:f32-none",
                           "c1h1w1-f1k3-wrap-u8:f32-best", "c1h1w1-f1k3-wrap-u8:f32-none-"}) {
    try {
      parseProblem(text);
      ADD_FAILURE() << "read " << text;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::BadInput);
      EXPECT_NE(std::string(e.what()).find("expected"), std::string::npos) << e.what();
    }
  }
}

TEST(Problem, OutputPlanes) {
  ConvolutionProblem p{.channels = 3, .filterCount = 4, .dstType = ElementType::U8};
  EXPECT_EQ(outputPlanes(p).size(), 4u);
  p.channelMode = ChannelMode::PerPlane;
  EXPECT_EQ(outputPlanes(p).size(), 12u);
  p.combine = Combine::Max;
  EXPECT_EQ(outputPlanes(p), std::vector<ElementType>(3, ElementType::U8));
  p.combine = Combine::ArgMax;
  EXPECT_EQ(outputPlanes(p).size(), 6u);
  EXPECT_EQ(outputPlanes(p)[4], ElementType::F32);
  EXPECT_EQ(outputPlanes(p)[5], ElementType::U16);
}

TEST(Problem, ConvolutionTurnsTapsAndAnchor) {
  const FilterBank bank({.name = "b", .mode = FilterMode::Convolution},
                        {makeFilter("f", 1, 4, {1, 2, 3, 4})});
  const auto p = makeProblem(bank, 1, 5, 5, ElementType::U8, ElementType::F32, {}, Combine::None);
  const auto taps = correlationTaps(p, bank);
  EXPECT_EQ(taps.taps, (std::vector<float>{4, 3, 2, 1}));
  EXPECT_EQ(taps.anchorX, 1);
}

/// Filter by filter: "tails" has an ordinary tap, "tiny" has none.
TEST(Problem, LeavesOutTapsThatAreTinyBesideOthers) {
  const FilterBank bank({}, {makeFilter("tails", 1, 4, {0x1p-127f, -0x1p-126f, 0x1p-80f, -1e-45f}),
                             makeFilter("tiny", 1, 4, {0x1p-127f, 0x1p-81f, 0, -1e-45f})});
  const auto p = makeProblem(bank, 1, 5, 5, ElementType::F32, ElementType::F32, {}, Combine::None);
  EXPECT_EQ(correlationTaps(p, bank).taps,
            (std::vector<float>{0, -0x1p-126f, 0x1p-80f, 0, 0x1p-127f, 0x1p-81f, 0, -1e-45f}));
}

TEST(Problem, CostsAndFloors) {
  const ConvolutionProblem p{.height = 10,
                             .width = 20,
                             .filterCount = 2,
                             .filterHeight = 3,
                             .filterWidth = 3,
                             .srcType = ElementType::U8};
  EXPECT_EQ(p.flops(), 2.0 * 200 * 2 * 9);
  EXPECT_EQ(p.minBytes(), 200 + 2 * 800);
}

TEST(Problem, RefusesABankThatDoesNotFit) {
  const FilterBank bank = testing::randomBank(2, 2, 3, 3);
  EXPECT_THROW(makeProblem(bank, 3, 5, 5, ElementType::U8, ElementType::F32, {}, Combine::None), Error);
  EXPECT_EQ(makeProblem(testing::randomBank(2, 1, 3, 3), 3, 5, 5, ElementType::U8, ElementType::F32, {},
                        Combine::None)
                .channelMode,
            ChannelMode::PerPlane);
}

}  // namespace
}  // namespace bankside
