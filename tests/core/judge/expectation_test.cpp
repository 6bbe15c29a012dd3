/// What the judge expects of one pixel, worked out by hand: both sides of every tolerance.
#include "core/judge/expectation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

namespace bankside::expectation {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr auto F32 = ElementType::F32;

using Candidates = std::vector<Candidate>;

bool right(Combine combine, ElementType type, const Candidates& r, double got, double index = 0) {
  return expectResult(combine, type, r, got, index).right;
}

/// Right from `low` to `high`, wrong just outside.
void expectRange(Combine combine, ElementType type, const Candidates& r, double low, double high,
                 double beyond = 1e-9) {
  EXPECT_TRUE(right(combine, type, r, low)) << toString(combine) << " " << low;
  EXPECT_TRUE(right(combine, type, r, high)) << toString(combine) << " " << high;
  EXPECT_FALSE(right(combine, type, r, low - beyond)) << toString(combine) << " below " << low;
  EXPECT_FALSE(right(combine, type, r, high + beyond)) << toString(combine) << " above " << high;
}

TEST(Expectation, OfOneResponseIsItsBound) {
  const Expectation e = expectResult(Combine::None, F32, {{3, 9, 0.25}}, 3.25, 0);
  EXPECT_EQ(e.value, 3);
  EXPECT_EQ(e.tolerance, 0.25);
  expectRange(Combine::None, F32, {{3, 9, 0.25}}, 2.75, 3.25);
}

TEST(Expectation, OfAMaximumIsTheLargestWithinTheWidestBound) {
  const Candidates r = {{-5, 5, 0.125}, {-3, 3, 0.25}, {-4, 4, 0.5}};
  const Expectation e = expectResult(Combine::Max, F32, r, -3, 0);
  EXPECT_EQ(e.value, -3) << "not 0, where all are negative";
  EXPECT_EQ(e.tolerance, 0.5);
  expectRange(Combine::Max, F32, r, -3.5, -2.5);
}

TEST(Expectation, OfAnIndexIsAnyOfThoseThatMayBeTheLargest) {
  const Candidates r = {{1, 1, 0.5}, {2, 2, 0.25}, {0.5, 1, 0.125}};
  EXPECT_TRUE(right(Combine::ArgMax, F32, r, 2.25, 1));
  EXPECT_FALSE(right(Combine::ArgMax, F32, r, 2.26, 1)) << "its own bound";
  EXPECT_TRUE(right(Combine::ArgMax, F32, r, 0.5, 0)) << "twice the widest bound below the largest";
  EXPECT_FALSE(right(Combine::ArgMax, F32, r, 0.5, 2)) << "farther below";
  EXPECT_FALSE(right(Combine::ArgMax, F32, r, 1, 3)) << "no such filter";
  EXPECT_FALSE(right(Combine::ArgMax, F32, r, 1, -1));
  EXPECT_FALSE(right(Combine::ArgMax, F32, r, 1, std::nan("")));
  const Expectation e = expectResult(Combine::ArgMax, F32, r, 2, 3);
  EXPECT_EQ(e.value, 2);
  EXPECT_EQ(e.tolerance, 0.5);
}

TEST(Expectation, OfSumsHasTheRoundingOfTheAdditions) {
  const Candidates r = {{1, 10, 0.25}, {-4, 20, 0.5}, {6, 30, 0.125}};
  const double tolerance = 0.875 + gammaBound(3 + 2) * (60 + 0.875);
  const Expectation sum = expectResult(Combine::Sum, F32, r, 3, 0);
  EXPECT_EQ(sum.value, 3);
  EXPECT_DOUBLE_EQ(sum.tolerance, tolerance);
  expectRange(Combine::Sum, F32, r, 3 - tolerance * (1 - 1e-12), 3 + tolerance * (1 - 1e-12));
  const Expectation mean = expectResult(Combine::Mean, F32, r, 1, 0);
  EXPECT_EQ(mean.value, 1);
  EXPECT_DOUBLE_EQ(mean.tolerance, tolerance / 3);
  expectRange(Combine::Mean, F32, r, 1 - tolerance / 3 * (1 - 1e-12), 1 + tolerance / 3 * (1 - 1e-12));
}

TEST(Expectation, OfAMagnitudeHasTheRootOfTheSquaresOfBounds) {
  const Candidates r = {{3, 3, 0.3}, {-4, 4, 0.4}};
  const double tolerance = 0.5 + gammaBound(2 + 2) * (5 + 0.5) + std::sqrt(2 * 0x1p-126);
  const Expectation e = expectResult(Combine::Magnitude, F32, r, 5, 0);
  EXPECT_EQ(e.value, 5);
  EXPECT_DOUBLE_EQ(e.tolerance, tolerance);
  expectRange(Combine::Magnitude, F32, r, 5 - tolerance * (1 - 1e-12), 5 + tolerance * (1 - 1e-12));
  const Expectation none = expectResult(Combine::Magnitude, F32, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 0, 0);
  EXPECT_DOUBLE_EQ(none.tolerance, std::sqrt(3 * 0x1p-126)) << "squares that vanish";
}

TEST(Expectation, OfIntegersIsClampedAndHalfAStepWider) {
  expectRange(Combine::None, ElementType::U8, {{7.25, 8, 0.25}}, 6.5, 8);
  expectRange(Combine::None, ElementType::U8, {{300, 300, 0.25}}, 254.25, 255.75);
  expectRange(Combine::None, ElementType::U8, {{-300, 300, 0.25}}, -0.75, 0.75);
  expectRange(Combine::None, ElementType::U16, {{300, 300, 0.25}}, 299.25, 300.75);
  expectRange(Combine::None, ElementType::U16, {{70000, 70000, 0.25}}, 65534.25, 65535.75);
  expectRange(Combine::Max, ElementType::U8, {{1, 1, 0.25}, {2, 1, 0}}, 1.25, 2.75);
}

TEST(Expectation, OfHalvesIsARoundingWider) {
  const double bound = 0.125 + (1 + 0.125) * 0x1p-11;
  expectRange(Combine::None, ElementType::F16, {{1, 1, 0.125}}, 1 - bound, 1 + bound);
  expectRange(Combine::None, ElementType::F16, {{-1, 1, 0.125}}, -1 - bound, -1 + bound);
  const double small = 0x1p-14 * 0x1p-11;
  expectRange(Combine::None, ElementType::F16, {{0, 1, 0}}, -small, small, 1e-12);
  EXPECT_TRUE(right(Combine::None, ElementType::F16, {{65504, 1, 0}}, infinity)) << "may round beyond";
  EXPECT_TRUE(right(Combine::None, ElementType::F16, {{-65504, 1, 0}}, -infinity));
  EXPECT_FALSE(right(Combine::None, ElementType::F16, {{65000, 1, 0}}, infinity));
  EXPECT_FALSE(right(Combine::None, ElementType::F16, {{65504, 1, 0}}, 65000)) << "or is near";
}

TEST(Expectation, OfTheLargestInSizeIsEitherSignWhereBothMayBeIt) {
  const Candidates r = {{2, 2, 0.25}, {-2.25, 3, 0.125}, {1.5, 2, 0.125}};
  const Expectation e = expectResult(Combine::AbsMax, F32, r, 9, 0);
  EXPECT_FALSE(e.right);
  EXPECT_EQ(e.value, -2.25);
  EXPECT_EQ(e.tolerance, 0.25 + 0x1p-149) << "the widest bound";
  EXPECT_TRUE(right(Combine::AbsMax, F32, r, -2.375));
  EXPECT_FALSE(right(Combine::AbsMax, F32, r, -2.376)) << "its own bound";
  EXPECT_TRUE(right(Combine::AbsMax, F32, r, 2.25)) << "within twice the widest bound of the largest";
  EXPECT_FALSE(right(Combine::AbsMax, F32, r, 2.26));
  EXPECT_FALSE(right(Combine::AbsMax, F32, r, 1.5)) << "farther below";
  EXPECT_TRUE(right(Combine::AbsMax, F32, {{1.75, 2, 0.25}, {-2.25, 3, 0.125}}, 1.75)) << "just so far";
  EXPECT_EQ(expectResult(Combine::AbsMax, F32, {{-3, 3, 0}, {3, 3, 0}}, 9, 0).value, -3)
      << "the first of two";
  EXPECT_EQ(expectResult(Combine::AbsMax, F32, {{0, 0, 0}, {0, 0, 0}}, 0, 0).value, 0);
  expectRange(Combine::AbsMax, ElementType::U8, {{7.25, 8, 0.25}, {-2, 8, 0}}, 6.5, 8);
}

TEST(ExpectHandedOn, IsWhatTheNextStageTakes) {
  const Candidates r = {{1, 10, 0.25}, {-4, 20, 0.5}, {6, 30, 0.125}};
  for (const Combine combine :
       {Combine::None, Combine::Max, Combine::ArgMax, Combine::Sum, Combine::Mean, Combine::Magnitude}) {
    const Expectation same = expectResult(combine, F32, r, 0, 0);
    EXPECT_EQ(expectHandedOn(combine, r).value, same.value) << toString(combine);
    EXPECT_EQ(expectHandedOn(combine, r).tolerance, same.tolerance) << toString(combine);
  }
  EXPECT_EQ(expectHandedOn(Combine::AbsMax, r).value, 6);
  EXPECT_EQ(expectHandedOn(Combine::AbsMax, r).tolerance, 0.125) << "nothing competes";
  // 5.5 is not far enough below 6, and lies 11.5 from it on the other side.
  const Candidates close = {{6, 6, 0.125}, {-5.5, 6, 0.25}, {-5.25, 6, 0.0625}};
  EXPECT_EQ(expectHandedOn(Combine::AbsMax, close).tolerance, 11.5 + 0.25);
  EXPECT_TRUE(expectHandedOn(Combine::AbsMax, close).right);
}

TEST(MayOverflow, FromF32sLargestOnAndForMagnitudesFromTheirSquares) {
  constexpr double largest = std::numeric_limits<float>::max();
  const double edge = largest * (1 - unitRoundoff);
  EXPECT_FALSE(mayOverflow(Combine::None, {edge, 0, true}));
  EXPECT_TRUE(mayOverflow(Combine::None, {std::nextafter(edge, infinity), 0, true}));
  EXPECT_TRUE(mayOverflow(Combine::Sum, {-edge, 1e30, true}));
  EXPECT_TRUE(mayOverflow(Combine::Max, {edge, 1e30, true}));
  EXPECT_FALSE(mayOverflow(Combine::Max, {edge / 2, edge / 4, true}));
  EXPECT_TRUE(mayOverflow(Combine::Magnitude, {1.1e19, 0, true}));
  EXPECT_FALSE(mayOverflow(Combine::Magnitude, {1e19, 0, true}));
  EXPECT_FALSE(mayOverflow(Combine::Sum, {1.1e19, 0, true}));
}

TEST(RecordPixel, KeepsTheFirstFailureElseTheLargestError) {
  Verification v;
  recordPixel(v, 1, 2, 3, 10.5, {10, 2, true}, true);
  EXPECT_TRUE(v.passed);
  EXPECT_EQ(v.checked, 1);
  EXPECT_EQ(v.failed, 0);
  EXPECT_EQ(v.maxAbsError, 0.5);
  EXPECT_EQ(v.maxBoundRatio, 0.25);
  EXPECT_EQ(std::tie(v.plane, v.x, v.y, v.got, v.expected), std::make_tuple(1, 2, 3, 10.5, 10.0));
  recordPixel(v, 4, 5, 6, 10.5, {10, 1, true}, true);
  EXPECT_EQ(v.plane, 1) << "as large is not larger";
  EXPECT_EQ(v.maxBoundRatio, 0.5);
  recordPixel(v, 4, 5, 6, 11, {10, 0, true}, true);
  EXPECT_EQ(v.plane, 4);
  EXPECT_EQ(v.maxBoundRatio, 0.5) << "a bound of nothing has no share";
  EXPECT_EQ(v.maxAbsError, 1);
  recordPixel(v, 7, 8, 9, 100, {10, 1, true}, false);
  EXPECT_EQ(v.maxAbsError, 1) << "not where nothing finite was expected";
  EXPECT_EQ(v.maxBoundRatio, 0.5);
  EXPECT_EQ(v.plane, 4);
  recordPixel(v, 7, 8, 9, infinity, {10, 1, true}, true);
  EXPECT_EQ(v.maxAbsError, 1);
  EXPECT_EQ(v.plane, 4);
  recordPixel(v, 7, 8, 9, 10.25, {10, 0.125, false}, true);
  EXPECT_FALSE(v.passed);
  EXPECT_EQ(v.failed, 1);
  EXPECT_EQ(std::tie(v.plane, v.x, v.y, v.got, v.expected), std::make_tuple(7, 8, 9, 10.25, 10.0));
  EXPECT_EQ(v.maxBoundRatio, 2);
  recordPixel(v, 0, 0, 0, 90, {10, 1, false}, true);
  EXPECT_EQ(v.failed, 2);
  EXPECT_EQ(v.maxAbsError, 80);
  EXPECT_EQ(v.plane, 7) << "the first failure stays";
  EXPECT_EQ(v.checked, 7);
}

TEST(Verification, OfPartsIsOneOfTheWhole) {
  Verification a, b;
  recordPixel(a, 1, 1, 1, 10.5, {10, 1, true}, true);
  recordPixel(b, 2, 2, 2, 12, {10, 4, true}, true);
  Verification sum = a;
  sum.add(b);
  EXPECT_EQ(sum.checked, 2);
  EXPECT_EQ(sum.maxAbsError, 2);
  EXPECT_EQ(sum.plane, 2);
  EXPECT_EQ(sum.maxBoundRatio, 0.5);
  Verification other = b;
  other.add(a);
  EXPECT_EQ(other.plane, 2) << "in either order";
  Verification wrong;
  recordPixel(wrong, 3, 4, 5, 10.25, {10, 0.125, false}, true);
  sum.add(wrong);
  EXPECT_FALSE(sum.passed);
  EXPECT_EQ(sum.failed, 1);
  EXPECT_EQ(sum.place(), "pixel (4, 5) of plane 3: got 10.25, expected 10");
  wrong.add(b);
  EXPECT_EQ(wrong.plane, 3) << "a failure stays before a larger error";
  EXPECT_EQ(wrong.maxAbsError, 2);
  std::optional<Verification> all;
  add(all, a);
  add(all, b);
  EXPECT_EQ(all->checked, 2);
}

}  // namespace
}  // namespace bankside::expectation
