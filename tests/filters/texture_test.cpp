// Gold taps: the formulas at the generators' heads in numpy, in double.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "filters/catalog.h"
#include "tests/filters/gold_bank.h"

namespace bankside {
namespace {

using testing::labelled;
using testing::sumOf;
using testing::tapAt;

double normOf(const Filter& f) {
  double squares = 0;
  for (const float tap : f.taps) squares += static_cast<double>(tap) * static_cast<double>(tap);
  return std::sqrt(squares);
}

TEST(LeungMalik, TapsAreThePublishedOnes) {
  const FilterBank bank = makeBank("leung-malik");
  ASSERT_EQ(bank.size(), 48);
  EXPECT_EQ(bank[0].width, 49);
  const Filter& edge = labelled(bank, "edge-2-theta030");
  EXPECT_FLOAT_EQ(tapAt(edge, 1, 2), -0.008071427093284598f);
  EXPECT_FLOAT_EQ(tapAt(edge, -3, 1), -0.009189576138954044f);
  EXPECT_EQ(edge.orientation, 30.0);
  EXPECT_EQ(edge.scale, 2.0);
  const Filter& bar = labelled(bank, "bar-2-theta030");
  EXPECT_FLOAT_EQ(tapAt(bar, 0, 0), -0.013705815703465307f);
  EXPECT_FLOAT_EQ(tapAt(bar, 1, 2), -0.006702666843257061f);
  EXPECT_FLOAT_EQ(tapAt(bar, -3, 1), 0.00255852170739024f);
  const Filter& gaussian = labelled(bank, "gaussian-4");
  EXPECT_FLOAT_EQ(tapAt(gaussian, 0, 0), 0.005775671382220836f);
  EXPECT_FLOAT_EQ(tapAt(gaussian, 24, 0), -0.0002523979223518579f);
  EXPECT_EQ(labelled(bank, "laplacian-4.2426").scale, 3 * 1.4142);
  EXPECT_EQ(labelled(bank, "laplacian-8.4852").scale, 3 * 2.8284);
  const Filter& laplacian = labelled(bank, "laplacian-12");
  EXPECT_FLOAT_EQ(tapAt(laplacian, 5, -9), -0.0006681180815501584f);
  EXPECT_FLOAT_EQ(tapAt(laplacian, 24, 0), 0.0003826113900409423f);
}

TEST(LeungMalik, KindsAreBanksOfTheirOwn) {
  EXPECT_EQ(makeBank("leung-malik:kinds=edges").size(), 18);
  EXPECT_EQ(makeBank("leung-malik:kinds=bars,sigma=1/2/4,orientations=4").size(), 12);
  EXPECT_EQ(makeBank("leung-malik:kinds=round").size(), 12);
  EXPECT_EQ(makeBank("leung-malik:kinds=round,blobs=1/3").size(), 5) << "one Laplacian of 3";
}

TEST(Schmid, TapsAreThePublishedOnes) {
  const FilterBank bank = makeBank("schmid");
  ASSERT_EQ(bank.size(), 13);
  const Filter& f = labelled(bank, "sigma4-tau2");
  EXPECT_FLOAT_EQ(tapAt(f, 0, 0), -0.016058223139453102f);
  EXPECT_FLOAT_EQ(tapAt(f, 1, 2), 0.012768509098759321f);
  EXPECT_FLOAT_EQ(tapAt(f, 4, 0), -0.009747086446537587f);
  EXPECT_FLOAT_EQ(tapAt(f, 24, 0), -1.8506824612020657e-05f);
}

TEST(Laws, MasksAreProductsOfTheirRows) {
  const FilterBank bank = makeBank("laws");
  ASSERT_EQ(bank.size(), 25);
  const std::vector<float> e5s5 = {1, 0, -2, 0, 1, 2, 0,  -4, 0, 2, 0, 0, 0,
                                   0, 0, -2, 0, 4, 0, -2, -1, 0, 2, 0, -1};
  EXPECT_EQ(labelled(bank, "e5s5").taps, e5s5);
  EXPECT_EQ(sumOf(labelled(bank, "l5l5")), 256);
  EXPECT_EQ(tapAt(labelled(bank, "r5w5"), -1, 0), 12);
}

TEST(Steerable, TapsAreDerivativesOfAGaussian) {
  const Filter third = labelled(makeBank("steerable:order=3,sigma=1.5"), "theta045");
  EXPECT_FLOAT_EQ(tapAt(third, 1, 0), -0.07416993684777538f);
  EXPECT_FLOAT_EQ(tapAt(third, 2, 1), -0.03293154643420339f);
  EXPECT_FLOAT_EQ(tapAt(third, -1, -3), -0.008030247528748268f);
  const FilterBank second = makeBank("steerable");
  ASSERT_EQ(second.size(), 3);
  EXPECT_FLOAT_EQ(tapAt(second[0], 0, 0), -0.03977633796484446f);
  EXPECT_FLOAT_EQ(tapAt(second[0], -1, -3), -0.008546095482074006f);
}

/// The weights of the generator's head.
TEST(Steerable, TheBasisGivesEveryDirection) {
  for (int order = 1; order <= 4; ++order) {
    const std::string name = "steerable:sigma=2,order=" + std::to_string(order);
    const FilterBank basis = makeBank(name);
    ASSERT_EQ(basis.size(), order + 1);
    const double angle = 37;
    const FilterBank wanted = makeBank(name + ",orientations=1,first=37");
    ASSERT_EQ(wanted[0].width, basis[0].width);
    for (std::size_t i = 0; i < wanted[0].taps.size(); ++i) {
      double steered = 0;
      for (const Filter& f : basis.filters()) {
        double weight = 0;
        for (int m = order; m >= 0; m -= 2)
          weight += (m > 0 ? 2 : 1) * std::cos(m * (angle - *f.orientation) * std::numbers::pi / 180);
        steered += weight / (order + 1) * static_cast<double>(f.taps[i]);
      }
      ASSERT_NEAR(steered, static_cast<double>(wanted[0].taps[i]), 3e-8) << order;
    }
  }
}

TEST(LogGabor, TapsAreTheInverseTransform) {
  const FilterBank bank = makeBank("log-gabor");
  ASSERT_EQ(bank.size(), 12);
  const Filter& even = labelled(bank, "even-theta030");
  ASSERT_EQ(even.width, 25);
  EXPECT_NEAR(tapAt(even, 0, 0), -0.3194746994005005, 1e-7);
  EXPECT_NEAR(tapAt(even, 1, 2), -0.05283958464388656, 1e-7);
  EXPECT_NEAR(tapAt(even, -4, 3), 0.03662082864328309, 1e-7);
  const Filter& odd = labelled(bank, "odd-theta030");
  EXPECT_NEAR(tapAt(odd, 1, 2), 0.1937492033971873, 1e-7);
  EXPECT_NEAR(tapAt(odd, -4, 3), -0.044940019644633296, 1e-7);
  for (const Filter& f : bank.filters()) {
    EXPECT_NEAR(normOf(f), 1, 1e-6) << f.label;
    EXPECT_NEAR(sumOf(f), 0, 1e-5) << f.label;
  }
}

TEST(VesselLine, ALineIsTakenFromTheMeanOfASquare) {
  const FilterBank bank = makeBank("vessel-line:window=5,length=1/5,orientations=4");
  ASSERT_EQ(bank.size(), 8);
  const Filter& flat = labelled(bank, "length5-theta000");
  for (int x = -2; x <= 2; ++x) {
    EXPECT_FLOAT_EQ(tapAt(flat, x, 0), 1.0f / 25 - 1.0f / 5);
    EXPECT_FLOAT_EQ(tapAt(flat, x, 1), 1.0f / 25);
  }
  const Filter& slanted = labelled(bank, "length5-theta045");
  EXPECT_FLOAT_EQ(tapAt(slanted, 2, 2), 1.0f / 25 - 1.0f / 5);
  EXPECT_FLOAT_EQ(tapAt(slanted, -1, -1), 1.0f / 25 - 1.0f / 5);
  EXPECT_FLOAT_EQ(tapAt(labelled(bank, "length1-theta090"), 0, 0), 1.0f / 25 - 1);
  for (const Filter& f : bank.filters()) EXPECT_NEAR(sumOf(f), 0, 1e-6) << f.label;
  EXPECT_THROW(makeBank("vessel-line:length=4"), Error);
  EXPECT_THROW(makeBank("vessel-line:length=17"), Error);
}

TEST(VesselMorlet, TapsAtZeroDegrees) {
  const FilterBank bank = makeBank("vessel-morlet:scale=2");
  ASSERT_EQ(bank.size(), 36);
  const Filter& even = labelled(bank, "even-scale2-theta000");
  EXPECT_FLOAT_EQ(tapAt(even, 0, 0), -0.349625767273272f);
  EXPECT_FLOAT_EQ(tapAt(even, 3, 1), -0.014043475843229958f);
  EXPECT_FLOAT_EQ(tapAt(even, 0, 2), 0.2146771764548702f);
  const Filter& odd = labelled(bank, "odd-scale2-theta000");
  EXPECT_FLOAT_EQ(tapAt(odd, 3, 1), 0.23492735811415996f);
  EXPECT_FLOAT_EQ(tapAt(odd, -6, 3), -0.036426929824827904f);
}

}  // namespace
}  // namespace bankside
