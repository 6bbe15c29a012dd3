#include "core/judge/compare.h"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/judge/exact.h"
#include "core/judge/exact_maps.h"
#include "core/judge/expectation.h"
#include "core/judge/row_streams.h"
#include "kernels/reference/reference_engine.h"
#include "tests/core/run/two_stages.h"
#include "tests/support/made_images.h"
#include "tests/support/refusals.h"

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

TEST(Verify, ReadsOfAFileTheRowsThatItJudges) {
  const Judged j(testing::randomImage(1, 30, 20, ElementType::U8), testing::randomBank(2, 1, 3, 3),
                 Combine::None);
  RowSource source(j.image);
  const Verification v = verifyRows(j.problem, j.bank, source, wholeImage(j.problem), j.outputs,
                                    {gammaBound(9), true}, {4, 5, 6, 7, 20, 21}, 1);
  EXPECT_TRUE(v.passed);
  EXPECT_EQ(v.checked, 2 * 6 * 20);
  EXPECT_EQ(source.rowsRead(), (4 + 2) + (2 + 2)) << "with one above and one below what lies together";
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

TEST(Verify, RefusesPlanesOfAnotherTypeOrSize) {
  Judged j(testing::randomImage(1, 9, 8, ElementType::U8), testing::randomBank(2, 1, 3, 3), Combine::None);
  for (const auto& [height, width, type] :
       {std::tuple{9, 8, ElementType::U8}, {9, 9, ElementType::F32}, {10, 8, ElementType::F32}}) {
    Image right = std::exchange(j.outputs[1], Image(1, height, width, type));
    EXPECT_NE(testing::sentenceOf([&] { j.verdict(); }), "") << height << " " << width << toString(type);
    j.outputs[1] = std::move(right);
  }
  EXPECT_TRUE(j.verdict().passed);
}

/// Sums of nothing may be off by what is too small for f32, and by no more.
TEST(Verify, AllowsWhatIsBelowTheSmallestNumbers) {
  Image zeros(1, 4, 5, ElementType::F32);
  for (int y = 0; y < 4; ++y) std::fill_n(zeros.view<float>(0).row(y), 5, 0.0f);
  Judged j(std::move(zeros), FilterBank({}, {makeFilter("one", 1, 2, {1, -3})}), Combine::None);
  float& pixel = j.outputs[0].view<float>(0).at(2, 1);
  for (const float sign : {1.0f, -1.0f}) {
    pixel = sign * 0x1p-125f * 2 * 5;  // two taps, their sum and one
    EXPECT_TRUE(j.verdict().passed);
    EXPECT_EQ(j.verdict().maxBoundRatio, 1);
    pixel *= 1.01f;
    EXPECT_FALSE(j.verdict().passed);
  }
}

/// Where a bound is that of the whole image, its largest pixel and its largest filter make it.
TEST(Verify, TakesTheLargestOfTheImageWhereABoundIsNotOfPixels) {
  Image image(2, 3, 4, ElementType::F32);
  for (int c = 0; c < 2; ++c)
    for (int y = 0; y < 3; ++y) std::fill_n(image.view<float>(c).row(y), 4, 0.5f);
  image.view<float>(1).at(3, 2) = -6;
  image.view<float>(0).at(0, 0) = infinity;
  Filter small = makeFilter("small", 1, 1, {});
  small.channels = 2;
  small.taps = {1, 0};
  Filter large = small;
  large.label = "large";
  large.taps = {-1, 1.5f};
  const FilterBank bank({}, {small, large});
  ConvolutionProblem p = makeProblem(bank, 2, 3, 4, ElementType::F32, ElementType::F32, {}, Combine::None);
  ImageSource source(image);
  EXPECT_EQ(largestMagnitude(p, bank, source), 2.5 * 6);
  p.border = {BorderKind::Constant, -7};
  EXPECT_EQ(largestMagnitude(p, bank, source), 2.5 * 7) << "beyond the border";
  const std::vector<Image> outputs = runWhole(*makeReferenceEngine(), p, bank, image);
  const auto failed = [&](float off) {
    std::vector<Image> changed;
    for (const Image& plane : outputs) changed.push_back(plane.clone());
    changed[0].view<float>(0).at(1, 1) += off;  // 0.5
    return verify(p, bank, source, wholeImage(p), changed, {0x1p-10, false}, 1).failed;
  };
  EXPECT_EQ(failed(2.5f * 7 * 0x1p-10f), 0);
  EXPECT_EQ(failed(2.5f * 7 * 0x1.02p-10f), 1);
}

/// As large as the maps of a stage may be: what bounds over them are made of.
TEST(ExactMapsOfAStage, KnowTheLargestValue) {
  Image image(1, 5, 6, ElementType::F32);
  for (int y = 0; y < 5; ++y) std::fill_n(image.view<float>(0).row(y), 6, 0.25f);
  image.view<float>(0).at(4, 3) = -2;
  const FilterBank bank({}, {makeFilter("a", 1, 2, {1, -2}), makeFilter("b", 1, 2, {0.5f, 0.5f}),
                             makeFilter("c", 1, 2, {1, 1}), makeFilter("d", 1, 2, {1, 0})});
  ImageSource source(image);
  const auto largest = [&](Combine combine, Activation activation, bool overMaps) {
    BankPass first({bank, combine, activation}, {}, false, {1}, testing::named("reference"));
    std::vector<BankPass::Step> steps = first.steps(source);
    first.makePlans(steps);
    ExactMaps maps(first, steps, source, 1);
    if (!overMaps) return maps.largestValue();
    const FilterBank next({}, {makeFilter("one", 1, 1, {0.5f}), makeFilter("two", 1, 2, {1, -2})});
    ConvolutionProblem p = makeProblem(FilterBank({}, {next[1]}), 1, 5, 6, ElementType::F32, ElementType::F32,
                                       {}, Combine::None);
    EXPECT_NEAR(largestOverMaps(p, next, maps), 3 * maps.largestValue(), 1e-12);
    p.border = {BorderKind::Constant, -1000};
    return largestOverMaps(p, next, maps);
  };
  const auto near = [](double expected) { return ::testing::DoubleNear(expected, 1e-4 * expected); };
  EXPECT_THAT(largest(Combine::None, Activation::None, false), near(6));
  EXPECT_THAT(largest(Combine::Max, Activation::Abs, false), near(6));
  EXPECT_THAT(largest(Combine::Mean, Activation::None, false), near(6));
  EXPECT_THAT(largest(Combine::Sum, Activation::None, false), near(24));
  EXPECT_THAT(largest(Combine::Magnitude, Activation::None, false), near(12));
  EXPECT_THAT(largest(Combine::None, Activation::Square, false), near(36));
  EXPECT_GE(largest(Combine::None, Activation::None, false), 6) << "never less";
  EXPECT_EQ(largest(Combine::None, Activation::None, true), 3000);
}

/// What is beside a NaN is one where only one of the filters reaches it.
TEST(ExactMapsOfAStage, AreNotFiniteWhereOneResponseIsNaN) {
  Image image(1, 1, 7, ElementType::F32);
  std::fill_n(image.view<float>(0).row(0), 7, 2.0f);
  image.view<float>(0).at(3, 0) = std::nanf("");
  const FilterBank bank({}, {makeFilter("point", 1, 1, {1}), makeFilter("line", 1, 3, {1, 1, 1})});
  ImageSource source(image);
  for (const Combine combine : {Combine::Max, Combine::AbsMax, Combine::Sum, Combine::Mean}) {
    BankPass stage({bank, combine, Activation::None}, {}, false, {1}, testing::named("reference"));
    std::vector<BankPass::Step> steps = stage.steps(source);
    stage.makePlans(steps);
    ExactMaps maps(stage, steps, source, 1);
    maps.hold({0}, {});
    for (std::size_t x = 0; x < 7; ++x)
      EXPECT_EQ(maps.row(0, 0).state[x], x >= 2 && x <= 4 ? MapState::NotFinite : MapState::Finite)
          << toString(combine) << " " << x;
  }
}

}  // namespace
}  // namespace bankside
