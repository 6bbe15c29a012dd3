#include <gtest/gtest.h>

#include "filters/catalog.h"
#include "tests/filters/gold_bank.h"

namespace bankside {
namespace {

using testing::quarterTurn;
using testing::sumOf;
using testing::tapAt;
using Taps = std::vector<float>;

TEST(Smoothing, Box) {
  EXPECT_EQ(makeBank("box:size=2")[0].taps, (Taps{0.25f, 0.25f, 0.25f, 0.25f}));
  EXPECT_EQ(makeBank("box")[0].taps, Taps(9, 1.0f / 9.0f));
  EXPECT_EQ(makeBank("box:size=1")[0].taps, Taps{1});
}

TEST(Smoothing, Binomial) {
  EXPECT_EQ(makeBank("binomial")[0].taps,
            (Taps{0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f}));
  EXPECT_EQ(makeBank("binomial:size=2")[0].taps, Taps(4, 0.25f));
  const Filter five = makeBank("binomial:size=5")[0];
  EXPECT_EQ(tapAt(five, 0, 0), 36.0f / 256.0f);
  EXPECT_EQ(tapAt(five, -2, 1), 4.0f / 256.0f);
  EXPECT_EQ(tapAt(five, 2, 2), 1.0f / 256.0f);
}

// Worked out from exp(-k^2 / (2 sigma^2)) apart from this program.
TEST(Smoothing, Gaussian) {
  const Filter f = makeBank("gaussian")[0];
  ASSERT_EQ(f.width, 7);
  EXPECT_FLOAT_EQ(tapAt(f, 0, 0), 0.15924112569070245f);
  EXPECT_FLOAT_EQ(tapAt(f, 1, 0), 0.09658462501856413f);
  EXPECT_FLOAT_EQ(tapAt(f, -1, 1), 0.058581536330607024f);
  EXPECT_FLOAT_EQ(tapAt(f, 3, -3), 1.96519161240319e-05f);
  EXPECT_EQ(f.scale, 1.0);
}

TEST(Smoothing, EvenGaussianStandsBetweenPixels) {
  const Filter f = makeBank("gaussian:sigma=0.8,size=4")[0];
  EXPECT_EQ(f.anchorX, 2);
  EXPECT_FLOAT_EQ(f.tap(0, 0, 0), 0.007507200578551174f);
  EXPECT_FLOAT_EQ(f.tap(0, 0, 1), 0.03581485090378047f);
  EXPECT_FLOAT_EQ(f.tap(0, 1, 1), 0.17086309761388788f);
  EXPECT_EQ(f.tap(0, 2, 2), f.tap(0, 1, 1));
}

TEST(Smoothing, EverySizeAddsUpToOneAndIsSymmetric) {
  for (const std::string name : {"box", "binomial", "gaussian:sigma=9"}) {
    const std::string separator = name.find(':') == std::string::npos ? ":" : ",";
    for (int size = 1; size <= 127; ++size) {
      const Filter f = makeBank(name + separator + "size=" + std::to_string(size))[0];
      if (name == "box" || size < 28) {
        ASSERT_EQ(f.width, size);
      } else {  // further out a tail may not matter
        ASSERT_LE(f.width, size);
      }
      ASSERT_EQ(f.height, f.width);
      // Rounding a tap to f32 changes it by at most 2^-24 of itself.
      EXPECT_NEAR(sumOf(f), 1.0, 1e-7) << name << " " << size;
      EXPECT_EQ(quarterTurn(f), f.taps) << name << " " << size;
    }
  }
}

TEST(Sharpening, Unsharp) {
  const Filter f = makeBank("unsharp:amount=0.5")[0];
  ASSERT_EQ(f.width, 7);
  EXPECT_FLOAT_EQ(tapAt(f, 0, 0), 1.4203794371546488f);
  EXPECT_FLOAT_EQ(tapAt(f, 0, 1), -0.048292312509282065f);
  EXPECT_NEAR(sumOf(f), 1.0, 1e-6);
  EXPECT_EQ(makeBank("unsharp:amount=0,size=3")[0].taps, Taps{1});
}

}  // namespace
}  // namespace bankside
