#include "core/filter_bank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "core/error.h"
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

}  // namespace
}  // namespace bankside
