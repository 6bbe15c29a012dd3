#include "core/judge/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/judge/expectation.h"
#include "kernels/reference/reference_engine.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Judged {
  Image image;
  FilterBank bank;
  ConvolutionProblem problem;
  std::vector<Image> outputs;

  Judged(Image img, FilterBank b, Combine combine, ElementType dst = ElementType::F32)
      : image(std::move(img)), bank(std::move(b)) {
    problem =
        makeProblem(bank, image.channels(), image.height(), image.width(), image.type(), dst, {}, combine);
    outputs = runWhole(*makeReferenceEngine(), problem, bank, image);
  }
  Verification verdict(double factor = gammaBound(9)) {
    ImageSource source(image);
    return verify(problem, bank, source, wholeImage(problem), outputs, {factor, true}, 2);
  }
};

TEST(Verify, PassesTheReferenceForEveryCombineAndType) {
  for (const Combine combine : allCombines) {
    for (const ElementType dst : allElementTypes) {
      Judged j(testing::randomImage(1, 20, 31, ElementType::F32), testing::randomBank(5, 1, 3, 3), combine,
               dst);
      const Verification v = j.verdict();
      EXPECT_TRUE(v.passed) << format(j.problem) << " " << v.place();
      EXPECT_GE(v.checked, 20 * 31);
      EXPECT_LE(v.maxBoundRatio, 1.0);
    }
  }
}

TEST(Verify, FindsOnePixelThatIsOffByMoreThanItsBound) {
  for (const Combine combine : allCombines) {
    Judged j(testing::randomImage(1, 20, 31, ElementType::F32), testing::randomBank(5, 1, 3, 3), combine);
    float& pixel = j.outputs[0].view<float>(0).at(17, 11);
    pixel += 1e-4f;
    const Verification v = j.verdict();
    EXPECT_FALSE(v.passed) << toString(combine);
    EXPECT_EQ(v.failed, 1);
    EXPECT_EQ(v.x, 17);
    EXPECT_EQ(v.y, 11);
    EXPECT_EQ(v.plane, 0);
    EXPECT_NEAR(v.maxAbsError, 1e-4, 1e-5);
  }
}

TEST(Verify, FindsAWrongIndexButAllowsATie) {
  Judged j(testing::randomImage(1, 9, 9, ElementType::U8), testing::randomBank(3, 1, 3, 3), Combine::ArgMax);
  auto& index = j.outputs[1].view<std::uint16_t>(0).at(4, 4);
  index = static_cast<std::uint16_t>((index + 1) % 3);
  EXPECT_FALSE(j.verdict().passed);
  index = 7;
  EXPECT_FALSE(j.verdict().passed) << "an index beyond the bank";

  Filter twin = testing::randomBank(1, 1, 3, 3)[0];
  Filter other = twin;
  other.label = "twin";
  Judged tie(testing::randomImage(1, 9, 9, ElementType::U8), FilterBank({}, {twin, other}), Combine::ArgMax);
  tie.outputs[1].view<std::uint16_t>(0).at(4, 4) = 1;
  EXPECT_TRUE(tie.verdict().passed);
}

/// Of two responses of one size the positive or the negative may be kept; as u8 the negative is 0.
TEST(Verify, AbsMaxTiesHoldInNarrowTypesToo) {
  Filter up = testing::randomBank(1, 1, 3, 3)[0];
  Filter down = up;
  down.label = "down";
  for (float& tap : down.taps) tap = -tap;
  Judged j(testing::randomImage(1, 9, 9, ElementType::U8), FilterBank({}, {up, down}), Combine::AbsMax,
           ElementType::U8);
  const Judged other(j.image.clone(), FilterBank({}, {down, up}), Combine::AbsMax, ElementType::U8);
  auto pixel = j.outputs[0].view<std::uint8_t>(0);
  const auto swapped = other.outputs[0].view<std::uint8_t>(0);
  ASSERT_NE(pixel.at(4, 4), swapped.at(4, 4));
  EXPECT_TRUE(j.verdict().passed);
  pixel.at(4, 4) = swapped.at(4, 4);
  EXPECT_TRUE(j.verdict().passed);
  pixel.at(4, 4) = 2;
  EXPECT_EQ(j.verdict().failed, 1);
}

TEST(Verify, NonFinitePixelsMustReachTheirOutputsAndNoOthers) {
  Image image = testing::randomImage(1, 12, 12, ElementType::F32);
  image.view<float>(0).at(6, 6) = infinity;
  Judged j(std::move(image), testing::randomBank(1, 1, 3, 3), Combine::None);
  EXPECT_TRUE(j.verdict().passed);
  auto out = j.outputs[0].view<float>(0);
  EXPECT_FALSE(std::isfinite(out.at(7, 5)));
  const float kept = out.at(7, 5);
  out.at(7, 5) = 0;
  EXPECT_FALSE(j.verdict().passed) << "a finite answer where none is right";
  out.at(7, 5) = kept;
  out.at(8, 6) = std::nanf("");
  EXPECT_FALSE(j.verdict().passed) << "a NaN whose rectangle holds no non-finite pixel";
}

TEST(Verify, AZeroTapMayOrMayNotSpreadWhatIsNotFinite) {
  Image image = testing::randomImage(1, 1, 5, ElementType::F32);
  image.view<float>(0).at(2, 0) = infinity;
  Judged j(std::move(image), FilterBank({}, {makeFilter("f", 1, 3, {1, 0, 1})}), Combine::None);
  EXPECT_TRUE(std::isfinite(j.outputs[0].view<float>(0).at(2, 0)));
  EXPECT_TRUE(j.verdict().passed);
  j.outputs[0].view<float>(0).at(2, 0) = std::nanf("");
  EXPECT_TRUE(j.verdict().passed);
  j.outputs[0].view<float>(0).at(2, 0) = 1e6f;
  EXPECT_FALSE(j.verdict().passed);
}

TEST(Verify, IntegersMayRoundByHalfAndClampNoMore) {
  Judged j(testing::randomImage(1, 20, 20, ElementType::U8), testing::randomBank(1, 1, 3, 3), Combine::None,
           ElementType::U8);
  EXPECT_TRUE(j.verdict().passed);
  auto& pixel = j.outputs[0].view<std::uint8_t>(0).at(3, 3);
  pixel = static_cast<std::uint8_t>(pixel < 128 ? pixel + 2 : pixel - 2);
  EXPECT_FALSE(j.verdict().passed);
}

TEST(Verify, RefusesPlanesOfAnotherShape) {
  Judged j(testing::randomImage(1, 9, 9, ElementType::U8), testing::randomBank(2, 1, 3, 3), Combine::None);
  j.outputs.pop_back();
  EXPECT_THROW(j.verdict(), Error);
}

TEST(Difference, NamesTheLargest) {
  std::vector<Image> a;
  std::vector<Image> b;
  a.push_back(testing::randomImage(1, 4, 6, ElementType::F32));
  b.push_back(a[0].clone());
  EXPECT_TRUE(difference(a, b).passed);
  b[0].view<float>(0).at(5, 3) += 2;
  const Verification v = difference(a, b);
  EXPECT_FALSE(v.passed);
  EXPECT_NEAR(v.maxAbsError, 2, 1e-6);
  EXPECT_EQ(v.x, 5);
  EXPECT_EQ(v.y, 3);
}

/// Only where two are as large is the other one right as well.
TEST(ExpectHandedOn, SpansWhatCompetesForTheLargestAlone) {
  const auto among = [](double a, double b) {
    return expectHandedOn(Combine::AbsMax, {{a, std::fabs(a), 1e-6}, {b, std::fabs(b), 1e-6}});
  };
  EXPECT_EQ(among(0.25, -0.5).value, -0.5);
  EXPECT_EQ(among(0.25, -0.5).tolerance, 1e-6);
  EXPECT_EQ(among(-0.5, 0.25).tolerance, 1e-6);
  EXPECT_DOUBLE_EQ(among(0.5, -0.5).tolerance, 1 + 1e-6);
}

}  // namespace
}  // namespace bankside
