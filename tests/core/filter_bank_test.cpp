#include "core/filter_bank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "core/error.h"
#include "core/singular_values.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

Filter valid() { return makeFilter("f", 3, 3, std::vector<float>(9, 1.0f)); }

TEST(FilterBank, NamesWhatIsWrongWithAFilter) {
  const std::vector<std::pair<std::string, std::function<void(Filter&)>>> cases = {
      {"label", [](Filter& f) { f.label = "a/b"; }},
      {"label", [](Filter& f) { f.label = ""; }},
      {"each side must be 1 to 127", [](Filter& f) { f.height = 128; }},
      {"9 taps where", [](Filter& f) { f.width = 4; }},
      {"anchor (3, 1)", [](Filter& f) { f.anchorX = 3; }},
      {"anchor (1, -1)", [](Filter& f) { f.anchorY = -1; }},
      {"not a finite number", [](Filter& f) { f.taps[4] = std::numeric_limits<float>::infinity(); }},
      {"no channels", [](Filter& f) { f.channels = 0; }},
  };
  for (const auto& [words, spoil] : cases) {
    Filter filter = valid();
    spoil(filter);
    try {
      FilterBank({}, {filter});
      ADD_FAILURE() << "took a filter with wrong " << words;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput);
      EXPECT_THAT(error.what(), ::testing::HasSubstr(words));
    }
  }
}

TEST(FilterBank, RefusesEmptyDoubledAndMixedBanks) {
  EXPECT_THROW(FilterBank({}, {}), Error);
  EXPECT_THROW(FilterBank({}, {valid(), valid()}), Error);
  Filter two = valid();
  two.label = "g";
  two.channels = 2;
  two.taps.resize(18, 0.0f);
  EXPECT_THROW(FilterBank({}, {valid(), two}), Error);
  EXPECT_THROW(FilterBank({}, std::vector<Filter>(4097, valid())), Error);
}

TEST(FilterBank, HashSeesEverythingThatChangesAResult) {
  const FilterBank bank({}, {valid()});
  EXPECT_EQ(bank.contentHash(), FilterBank({.title = "another title"}, {valid()}).contentHash());
  const std::vector<std::function<void(Filter&)>> changes = {
      [](Filter& f) { f.taps[8] = 2; }, [](Filter& f) { f.anchorX = 0; }, [](Filter& f) { f.label = "g"; },
      [](Filter& f) { f.height = 9, f.width = 1, f.anchorY = 1, f.anchorX = 0; }};
  for (const auto& change : changes) {
    Filter filter = valid();
    change(filter);
    EXPECT_NE(bank.contentHash(), FilterBank({}, {filter}).contentHash());
  }
  EXPECT_NE(bank.contentHash(), FilterBank({.mode = FilterMode::Convolution}, {valid()}).contentHash());
}

TEST(FilterBank, TurningTwiceIsTheSame) {
  const Filter filter = testing::withAnchor(testing::integerBank(1, 2, 3, 4), 0, 2)[0];
  const Filter turned = rotated180(filter);
  EXPECT_EQ(turned.anchorX, 3);
  EXPECT_EQ(turned.anchorY, 0);
  EXPECT_EQ(turned.tap(1, 0, 0), filter.tap(1, 2, 3));
  EXPECT_EQ(rotated180(turned), filter);
}

TEST(FilterBank, GroupsBySizeAndKeepsTheOrder) {
  Filter wide = makeFilter("wide", 1, 5, std::vector<float>(5, 1.0f));
  Filter first = valid();
  Filter second = valid();
  second.label = "g";
  const auto groups = groupBySize(FilterBank({}, {first, wide, second}));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].indices, (std::vector<int>{0, 2}));
  EXPECT_EQ(groups[1].indices, (std::vector<int>{1}));
  EXPECT_TRUE(groups[0].bank.uniform());
  EXPECT_FALSE(FilterBank({}, {first, wide}).uniform());
}

using Rows = std::vector<std::vector<double>>;

/// Largest first.
void expectValues(const Rows& matrix, const std::vector<double>& expected) {
  const std::vector<double> values = singularValues(matrix);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(values[i], expected[i], 1e-12 * expected.front()) << i;
}

TEST(SingularValues, OfRowsAtRightAnglesAreTheirLengths) {
  expectValues({{0, 3}, {-4, 0}}, {4, 3});
  expectValues({{0, 0, 0}, {0, 5, 0}}, {5, 0});
  // Long rows, which become a square of reflections first; negative, zero and equal beginnings.
  const std::vector<double> a = {1, 1, 1, 1, 1, 1, 1, 1};
  const std::vector<double> b = {-3, 3, -3, 3, -3, 3, -3, 3};
  const std::vector<double> c = {0, 0, 2, 2, 0, 0, -2, -2};
  const double root8 = std::sqrt(8.0);
  expectValues({a, b}, {3 * root8, root8});
  expectValues({c, b, a}, {3 * root8, 4, root8});
  expectValues({c, a, c}, {std::sqrt(32.0), root8, 0});
  expectValues({{0, 0, 0, 0, 0}, {0, 0, 0, 0, 2}}, {2, 0});
  expectValues({{2, -2, 1, 0, 4, 0, 0}}, {5});
}

/// Of two rows they follow from lengths and angle; columns have the same.
TEST(SingularValues, OfTwoRowsFollowFromTheirAngle) {
  for (const std::size_t length : {2u, 3u, 4u, 5u, 9u, 30u}) {
    Rows rows(2, std::vector<double>(length));
    for (std::size_t i = 0; i < length; ++i) {
      rows[0][i] = static_cast<double>(i * 7 % 11) - 4;
      rows[1][i] = static_cast<double>(i * 5 % 13) - 3;
    }
    double aa = 0, bb = 0, ab = 0;
    Rows columns(length);
    for (std::size_t i = 0; i < length; ++i) {
      aa += rows[0][i] * rows[0][i];
      bb += rows[1][i] * rows[1][i];
      ab += rows[0][i] * rows[1][i];
      columns[i] = {rows[0][i], rows[1][i]};
    }
    const double root = std::sqrt((aa - bb) * (aa - bb) + 4 * ab * ab);
    const std::vector<double> expected = {std::sqrt((aa + bb + root) / 2), std::sqrt((aa + bb - root) / 2)};
    expectValues(rows, expected);
    expectValues(columns, expected);
  }
}

TEST(SingularValues, OfASmallPartAreAsExactAsOfALargeOne) {
  const std::vector<double> values = singularValues({{1e8, 1e-4}, {-1e-4, 1e-8}});
  EXPECT_NEAR(values[0], 1e8, 1e-6);
  EXPECT_NEAR(values[1], (1.0 + 1e-8) / 1e8, 1e-14);
}

TEST(ToRightAngle, TurnsTwoVectorsUntilTheyAre) {
  std::vector<double> a = {3, 1, 0};
  std::vector<double> b = {1, 2, -1};
  const auto turn = toRightAngle(a, b);
  ASSERT_TRUE(turn);
  EXPECT_NEAR(turn->cosine * turn->cosine + turn->sine * turn->sine, 1, 1e-15);
  EXPECT_LT(std::fabs(turn->sine), turn->cosine) << "the smaller of the two turns";
  turn->apply(a, b);
  EXPECT_NEAR(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], 0, 1e-14);
  EXPECT_NEAR(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + b[0] * b[0] + b[1] * b[1] + b[2] * b[2], 16, 1e-13);
  EXPECT_FALSE(toRightAngle(a, b, 1e-14));
  EXPECT_FALSE(toRightAngle({1, 0}, {0, 1}));
  EXPECT_TRUE(toRightAngle({1, 1e-3}, {0, 1}, 0.9e-3));
  EXPECT_FALSE(toRightAngle({1, 1e-3}, {0, 1}, 1.1e-3)) << "near enough";
  EXPECT_TRUE(toRightAngle({1, 1}, {1e-3, 0}, 0, 0.9e-6));
  EXPECT_FALSE(toRightAngle({1, 1}, {1e-3, 0}, 0, 1.1e-6)) << "next to nothing";
}

}  // namespace
}  // namespace bankside
