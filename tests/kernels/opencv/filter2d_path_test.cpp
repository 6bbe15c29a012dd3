#include "kernels/opencv/filter2d_path.h"

#include <gtest/gtest.h>

namespace bankside {
namespace {

Filter2dPath pathOf(const char* text, double largestTapSum = 1.0) {
  const ConvolutionProblem p = parseProblem(text);
  return chooseFilter2dPath(p, p.anchorX, p.anchorY, largestTapSum, true);
}

TEST(Filter2dPath, TurnsToTheDftAt130Taps) {
  EXPECT_FALSE(pathOf("c1h64w64-f1k11-reflect101-f32:f32-none").dft);
  EXPECT_FALSE(pathOf("c1h64w64-f1k3x43-reflect101-f32:f32-none").dft);
  EXPECT_TRUE(pathOf("c1h64w64-f1k10x13-reflect101-f32:f32-none").dft);
  EXPECT_TRUE(pathOf("c1h64w64-f1k12-reflect101-f32:f32-none").dft);
}

TEST(Filter2dPath, KeepsBytesOnlyWhereThatIsFaster) {
  EXPECT_FALSE(pathOf("c1h64w64-f1k11-reflect101-u8:f32-none").source8);
  EXPECT_TRUE(pathOf("c1h64w64-f1k12-reflect101-u8:f32-none").source8);
  EXPECT_TRUE(pathOf("c1h64w64-f1k3-reflect101-u8:u8-none").response8);
  EXPECT_FALSE(pathOf("c1h64w64-f1k5-reflect101-u8:u8-none").response8);
  EXPECT_FALSE(pathOf("c1h64w64-f1k3-reflect101-u8:u8-max").response8);
  EXPECT_FALSE(pathOf("c3h64w64-f1k3-reflect101-u8:u8-none").response8);
  EXPECT_TRUE(pathOf("c3h64w64-f1k3-reflect101-u8:u8-none-perplane").response8);
  EXPECT_FALSE(pathOf("c1h64w64-f1k3-reflect101-u16:u16-none").source8);
}

TEST(Filter2dPath, LeavesSumsBeyondInt32ToTheFloatPath) {
  EXPECT_FALSE(pathOf("c1h64w64-f1k3-reflect101-u8:u8-none", 1e7).response8);
}

TEST(Filter2dPath, PadsWhereFilter2dHasNoBorderOrTheWrongOne) {
  EXPECT_TRUE(pathOf("c1h64w64-f1k3-constant-f32:f32-none").ownBorder);
  EXPECT_FALSE(pathOf("c1h64w64-f1k3-constant=7-f32:f32-none").ownBorder);
  EXPECT_TRUE(pathOf("c1h64w64-f1k13-reflect101-f32:f32-none").ownBorder);
  EXPECT_FALSE(pathOf("c1h64w64-f1k13a0x0-reflect101-f32:f32-none").ownBorder);
  EXPECT_FALSE(pathOf("c1h64w64-f1k13a6x5-reflect-f32:f32-none").ownBorder);
  EXPECT_TRUE(pathOf("c1h64w64-f1k13a0x0-replicate-f32:f32-none").ownBorder);
  EXPECT_TRUE(pathOf("c1h64w64-f1k11a0x0-reflect101-f32:f32-none").ownBorder);
}

TEST(Filter2dPath, BoundsAreOneRoundingInDoubleAndPixelwiseWhenDirect) {
  const auto boundOf = [](const char* text) { return filter2dErrorBound(parseProblem(text), pathOf(text)); };
  const ErrorBound direct = boundOf("c2h64w64-f1k5-reflect101-f32:f32-none");
  EXPECT_TRUE(direct.pixelwise);
  EXPECT_EQ(direct.factor, gammaBound(50));
  for (const char* text :
       {"c1h64w64-f1k12-reflect101-f32:f32-none", "c1h64w64-f1k127-reflect101-f32:f32-none"}) {
    const ErrorBound transform = boundOf(text);
    EXPECT_FALSE(transform.pixelwise);
    EXPECT_GT(transform.factor, gammaBound(1));
    EXPECT_LT(transform.factor, gammaBound(2)) << text;
  }
  EXPECT_GT(boundOf("c1h64w64-f1k12-reflect101-u8:f32-none").factor, gammaBound(10));
}

}  // namespace
}  // namespace bankside
