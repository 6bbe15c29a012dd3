#include <gtest/gtest.h>

#include "filters/catalog.h"
#include "tests/filters/gold_bank.h"

namespace bankside {
namespace {

using testing::labelled;
using testing::quarterTurn;
using testing::sumOf;
using testing::tapAt;
using Taps = std::vector<float>;

TEST(Edge, Roberts) {
  const FilterBank bank = makeBank("roberts");
  ASSERT_EQ(bank.size(), 2);
  EXPECT_EQ(labelled(bank, "d1").taps, (Taps{1, 0, 0, -1}));
  EXPECT_EQ(labelled(bank, "d2").taps, (Taps{0, 1, -1, 0}));
  EXPECT_EQ(bank[0].anchorX, 0);
  EXPECT_EQ(bank[0].anchorY, 0);
  EXPECT_EQ(bank[0].orientation, 225) << "upwards and to the left it grows";
  EXPECT_EQ(bank[1].orientation, 315);
}

TEST(Edge, Prewitt) {
  const FilterBank bank = makeBank("prewitt");
  ASSERT_EQ(bank.size(), 2);
  EXPECT_EQ(labelled(bank, "dx").taps, (Taps{-1, 0, 1, -1, 0, 1, -1, 0, 1}));
  EXPECT_EQ(labelled(bank, "dy").taps, (Taps{-1, -1, -1, 0, 0, 0, 1, 1, 1}));
}

TEST(Edge, Sobel) {
  const FilterBank bank = makeBank("sobel");
  ASSERT_EQ(bank.size(), 2);
  EXPECT_EQ(labelled(bank, "dx").taps, (Taps{-1, 0, 1, -2, 0, 2, -1, 0, 1}));
  EXPECT_EQ(labelled(bank, "dy").taps, (Taps{-1, -2, -1, 0, 0, 0, 1, 2, 1}));
  EXPECT_EQ(labelled(bank, "dx").orientation, 0.0);
  EXPECT_EQ(labelled(bank, "dy").orientation, 90.0);
}

TEST(Edge, LargerSobelsAreOuterProducts) {
  EXPECT_EQ(labelled(makeBank("sobel:size=5"), "dx").taps,
            (Taps{-1, -2, 0, 2, 1, -4, -8, 0, 8, 4, -6, -12, 0, 12, 6, -4, -8, 0, 8, 4, -1, -2, 0, 2, 1}));
  const FilterBank seven = makeBank("sobel:size=7");
  const Taps smooth = {1, 6, 15, 20, 15, 6, 1};
  const Taps difference = {-1, -4, -5, 0, 5, 4, 1};
  for (int y = 0; y < 7; ++y) {
    for (int x = 0; x < 7; ++x) {
      const auto i = static_cast<std::size_t>(y);
      const auto j = static_cast<std::size_t>(x);
      EXPECT_EQ(labelled(seven, "dx").tap(0, y, x), smooth[i] * difference[j]);
      EXPECT_EQ(labelled(seven, "dy").tap(0, y, x), difference[i] * smooth[j]);
    }
  }
}

TEST(Edge, Scharr) {
  const FilterBank bank = makeBank("scharr");
  EXPECT_EQ(labelled(bank, "dx").taps, (Taps{-3, 0, 3, -10, 0, 10, -3, 0, 3}));
  EXPECT_EQ(labelled(bank, "dy").taps, (Taps{-3, -10, -3, 0, 0, 0, 3, 10, 3}));
}

TEST(Edge, Kirsch) {
  const FilterBank bank = makeBank("kirsch");
  ASSERT_EQ(bank.size(), 8);
  EXPECT_EQ(labelled(bank, "kirsch-n").taps, (Taps{5, 5, 5, -3, 0, -3, -3, -3, -3}));
  EXPECT_EQ(labelled(bank, "kirsch-ne").taps, (Taps{-3, 5, 5, -3, 0, 5, -3, -3, -3}));
  EXPECT_EQ(labelled(bank, "kirsch-e").taps, (Taps{-3, -3, 5, -3, 0, 5, -3, -3, 5}));
  EXPECT_EQ(labelled(bank, "kirsch-se").taps, (Taps{-3, -3, -3, -3, 0, 5, -3, 5, 5}));
  EXPECT_EQ(labelled(bank, "kirsch-s").taps, (Taps{-3, -3, -3, -3, 0, -3, 5, 5, 5}));
  EXPECT_EQ(labelled(bank, "kirsch-sw").taps, (Taps{-3, -3, -3, 5, 0, -3, 5, 5, -3}));
  EXPECT_EQ(labelled(bank, "kirsch-w").taps, (Taps{5, -3, -3, 5, 0, -3, 5, -3, -3}));
  EXPECT_EQ(labelled(bank, "kirsch-nw").taps, (Taps{5, 5, -3, 5, 0, -3, -3, -3, -3}));
  for (int i = 0; i < 8; ++i) EXPECT_EQ(bank[i].orientation, 45.0 * i);
}

TEST(Edge, Robinson) {
  const FilterBank bank = makeBank("robinson");
  ASSERT_EQ(bank.size(), 8);
  EXPECT_EQ(labelled(bank, "robinson-e").taps, (Taps{-1, 0, 1, -2, 0, 2, -1, 0, 1}));
  EXPECT_EQ(labelled(bank, "robinson-se").taps, (Taps{-2, -1, 0, -1, 0, 1, 0, 1, 2}));
  EXPECT_EQ(labelled(bank, "robinson-s").taps, (Taps{-1, -2, -1, 0, 0, 0, 1, 2, 1}));
  EXPECT_EQ(labelled(bank, "robinson-sw").taps, (Taps{0, -1, -2, 1, 0, -1, 2, 1, 0}));
  EXPECT_EQ(labelled(bank, "robinson-w").taps, (Taps{1, 0, -1, 2, 0, -2, 1, 0, -1}));
  EXPECT_EQ(labelled(bank, "robinson-nw").taps, (Taps{2, 1, 0, 1, 0, -1, 0, -1, -2}));
  EXPECT_EQ(labelled(bank, "robinson-n").taps, (Taps{1, 2, 1, 0, 0, 0, -1, -2, -1}));
  EXPECT_EQ(labelled(bank, "robinson-ne").taps, (Taps{0, 1, 2, -1, 0, 1, -2, -1, 0}));
}

TEST(Edge, Laplacian) {
  EXPECT_EQ(makeBank("laplacian")[0].taps, (Taps{0, 1, 0, 1, -4, 1, 0, 1, 0}));
  EXPECT_EQ(makeBank("laplacian:neighbours=8")[0].taps, (Taps{1, 1, 1, 1, -8, 1, 1, 1, 1}));
}

TEST(Edge, QuarterTurnsOfCompassFiltersAreEachOther) {
  for (const char* name : {"kirsch", "robinson"}) {
    const FilterBank bank = makeBank(name);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(quarterTurn(bank[i]), bank[(i + 2) % 8].taps) << name << " " << i;
  }
}

// The numbers below were worked out from the formulas apart from this program.
TEST(Edge, LaplacianOfGaussian) {
  const Filter f = makeBank("log:sigma=1,size=5")[0];
  EXPECT_FLOAT_EQ(tapAt(f, 0, 0), -0.31815061610654216f);
  EXPECT_FLOAT_EQ(tapAt(f, 1, 0), -0.0922653041811346f);
  EXPECT_FLOAT_EQ(tapAt(f, -2, -2), 0.023869127631414168f);
  EXPECT_EQ(f.scale, 1.0);
  const Filter wide = makeBank("log")[0];
  EXPECT_EQ(wide.width, 13);  // 2 * ceil(4 * 1.4) + 1
  EXPECT_NEAR(sumOf(wide), 0.0, 1e-6);
  EXPECT_EQ(quarterTurn(wide), wide.taps);
}

TEST(Edge, DifferenceOfGaussians) {
  const Filter f = makeBank("dog:size=5")[0];
  EXPECT_FLOAT_EQ(tapAt(f, 0, 0), -0.08323506130984908f);
  EXPECT_FLOAT_EQ(tapAt(f, 0, -1), -0.03344548130699167f);
  EXPECT_FLOAT_EQ(tapAt(f, 2, 2), 0.013562563899750486f);
  const Filter wide = makeBank("dog")[0];
  EXPECT_EQ(wide.width, 11);  // 2 * ceil(3 * 1.6) + 1
  EXPECT_NEAR(sumOf(wide), 0.0, 1e-6);
}

// Over x^2 / 2 the second derivative is 1 and over x y the mixed one: times sigma^2 = 4, but for the cut-off
// tails.
TEST(Hessian, AnswersWithTheSecondDerivativesOfAQuadricSurface) {
  const FilterBank bank = makeBank("hessian:sigma=2");
  ASSERT_EQ(bank.size(), 3);
  const auto over = [](const Filter& f, auto surface) {
    double response = 0;
    for (int y = -f.anchorY; y <= f.anchorY; ++y) {
      for (int x = -f.anchorX; x <= f.anchorX; ++x)
        response += static_cast<double>(tapAt(f, x, y)) * surface(x, y);
    }
    return response;
  };
  const auto squareX = [](int x, int) { return 0.5 * x * x; };
  const auto squareY = [](int, int y) { return 0.5 * y * y; };
  const auto mixed = [](int x, int y) { return static_cast<double>(x) * y; };
  EXPECT_NEAR(over(labelled(bank, "xx"), squareX), 4, 0.05);
  EXPECT_NEAR(over(labelled(bank, "xx"), squareY), 0, 0.05);
  EXPECT_NEAR(over(labelled(bank, "yy"), squareY), 4, 0.05);
  EXPECT_NEAR(over(labelled(bank, "xy"), mixed), 4, 0.05);
  EXPECT_NEAR(over(labelled(bank, "xy"), squareX), 0, 1e-6);
  for (const Filter& f : bank.filters()) {
    EXPECT_NEAR(sumOf(f), 0, 1e-6) << f.label;
    EXPECT_EQ(f.scale, 2.0);
  }
}

}  // namespace
}  // namespace bankside
