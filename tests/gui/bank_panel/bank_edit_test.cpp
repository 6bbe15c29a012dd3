#include "gui/window/models/bank_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "filters/catalog.h"
#include "tests/support/refusals.h"

namespace bankside::window {
namespace {

using bankside::testing::sentenceOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Filter counting(int height, int width) {
  Filter f = makeFilter("f", height, width, {});
  for (int i = 0; i < height * width; ++i) f.taps.push_back(static_cast<float>(i + 1));
  return f;
}

FilterBank threeFilters() {
  return FilterBank({.name = "three", .title = "Three", .citation = "A book"},
                    {makeFilter("a", 1, 1, {1}), makeFilter("b", 1, 2, {2, 3}), makeFilter("c", 1, 1, {4})});
}

std::string labels(const FilterBank& bank) {
  std::string text;
  for (const Filter& f : bank.filters()) text += f.label;
  return text;
}

TEST(BankEdit, EveryEditHasAnInverse) {
  const FilterBank bank = threeFilters();
  const Filter other = makeFilter("d", 2, 2, {1, 2, 3, 4});
  const std::vector<std::pair<BankEdit, std::string>> edits = {{ReplaceFilter{1, other}, "adc"},
                                                               {InsertFilter{0, other}, "dabc"},
                                                               {InsertFilter{3, other}, "abcd"},
                                                               {RemoveFilter{0}, "bc"},
                                                               {RemoveFilter{2}, "ab"},
                                                               {MoveFilter{0, 2}, "bca"},
                                                               {MoveFilter{2, 0}, "cab"},
                                                               {MoveFilter{1, 1}, "abc"},
                                                               {ReplaceBank{FilterBank({}, {other})}, "d"}};
  for (const auto& [edit, expected] : edits) {
    const FilterBank after = applied(bank, edit, handEdited(bank.info()));
    EXPECT_EQ(labels(after), expected);
    const FilterBank back = applied(after, inverse(bank, edit), bank.info());
    EXPECT_EQ(back.filters(), bank.filters()) << expected;
    EXPECT_EQ(back.info(), bank.info());
  }
}

TEST(BankEdit, RefusesWithASentence) {
  const FilterBank bank = threeFilters();
  const auto refusal = [&](const BankEdit& edit) {
    return sentenceOf([&] { applied(bank, edit, bank.info()); });
  };
  EXPECT_EQ(refusal(RemoveFilter{3}), "The bank has no filter 4; it has 3.");
  EXPECT_THAT(refusal(ReplaceFilter{-1, bank[0]}), HasSubstr("no filter"));
  EXPECT_THAT(refusal(MoveFilter{0, 3}), HasSubstr("no filter 4"));
  EXPECT_THAT(refusal(InsertFilter{4, bank[0]}), HasSubstr("no filter 5"));
  EXPECT_THAT(refusal(InsertFilter{1, bank[0]}), HasSubstr("two filters are labelled \"a\""));
  EXPECT_THAT(sentenceOf([] {
                const FilterBank one({}, {makeFilter("a", 1, 1, {1})});
                applied(one, RemoveFilter{0}, one.info());
              }),
              HasSubstr("at least one filter"));
}

TEST(BankEdit, HandEditedBanksForgetTheirSpecification) {
  const BankInfo made = makeBank("vessel-matched:sigma=1.5").info();
  const BankInfo edited = handEdited(made);
  EXPECT_EQ(edited.name, "");
  EXPECT_EQ(edited.generator, "");
  EXPECT_TRUE(edited.parameters.empty());
  EXPECT_EQ(edited.title, made.title + ", edited");
  EXPECT_THAT(edited.citation, HasSubstr("starting from " + made.name + " (" + made.citation));
  EXPECT_EQ(handEdited(edited), edited);
}

TEST(BankEdit, FreeLabelsCountUp) {
  const FilterBank bank({}, {makeFilter("a", 1, 1, {1}), makeFilter("a-2", 1, 1, {1})});
  EXPECT_EQ(freeLabel(bank, "b"), "b");
  EXPECT_EQ(freeLabel(bank, "a"), "a-3");
}

TEST(FilterEdit, BlocksOverwriteAndGrow) {
  const Filter f = counting(2, 2);
  EXPECT_THAT(withBlock(f, 0, 0, 1, {2, 1, {8, 9}}).taps, ElementsAre(1, 8, 3, 9));
  const Filter grown = withBlock(f, 0, 1, 1, {2, 2, {5, 6, 7, 8}});
  EXPECT_EQ(grown.height, 3);
  EXPECT_EQ(grown.width, 3);
  EXPECT_THAT(grown.taps, ElementsAre(1, 2, 0, 3, 5, 6, 0, 7, 8));
  EXPECT_EQ(grown.anchorX, f.anchorX);
  EXPECT_EQ(blockOf(grown, 0, 1, 1, 2, 2), (TapBlock{2, 2, {5, 6, 7, 8}}));
  EXPECT_THAT(sentenceOf(
                  [&] {
                    withBlock(f, 0, 0, 1, {1, 127, std::vector<float>(127)});
                  },
                  ErrorCode::Limit),
              HasSubstr("2 x 128; each side must be 1 to 127"));
  const Filter replaced = replacedByBlock(counting(5, 5), 0, {1, 3, {1, 2, 3}});
  EXPECT_THAT(replaced.taps, ElementsAre(1, 2, 3));
  EXPECT_EQ(replaced.anchorX, 1);
  EXPECT_EQ(replaced.anchorY, 0);
}

TEST(FilterEdit, ResizingKeepsTapsAtTheirOffset) {
  const Filter f = counting(3, 3);
  const Filter larger = resized(f, 5, 5);
  EXPECT_EQ(larger.anchorX, 2);
  EXPECT_EQ(blockOf(larger, 0, 1, 1, 3, 3).values, f.taps);
  EXPECT_EQ(resized(larger, 3, 3).taps, f.taps);
  EXPECT_THAT(resized(f, 1, 1).taps, ElementsAre(5));
  EXPECT_THAT(sentenceOf([&] { resized(f, 0, 3); }, ErrorCode::Limit), HasSubstr("0 x 3"));
}

TEST(FilterEdit, ResizingAnyAnchorKeepsItsTap) {
  for (int from = 1; from <= 7; ++from) {
    for (int anchor = 0; anchor < from; ++anchor) {
      for (int to = 1; to <= 9; ++to) {
        Filter f = counting(1, from);
        f.anchorX = anchor;
        const Filter r = resized(f, 1, to);
        EXPECT_EQ(r.tap(0, 0, r.anchorX), f.tap(0, 0, anchor)) << from << " " << anchor << " " << to;
        if (anchor == from / 2) {
          EXPECT_EQ(r.anchorX, to / 2);
        }
      }
    }
  }
}

TEST(FilterEdit, Normalises) {
  EXPECT_THAT(withUnitSum(makeFilter("f", 1, 3, {1, 2, 1})).taps, ElementsAre(0.25f, 0.5f, 0.25f));
  EXPECT_THAT(withZeroMean(makeFilter("f", 1, 3, {1, 2, 6})).taps, ElementsAre(-2, -1, 3));
  EXPECT_THAT(sentenceOf([] { withUnitSum(makeFilter("f", 1, 2, {1, -1})); }), HasSubstr("sum to zero"));
  EXPECT_THAT(sentenceOf([] {
                withUnitSum(makeFilter("f", 1, 3, {0.1f, 0.2f, -0.3f}));
              }),
              HasSubstr("sum to zero"));
}

TEST(FilterEdit, MirrorsCarryTheAnchor) {
  Filter f = counting(2, 3);
  f.anchorX = 0;
  f.anchorY = 1;
  EXPECT_THAT(mirroredLeftRight(f).taps, ElementsAre(3, 2, 1, 6, 5, 4));
  EXPECT_EQ(mirroredLeftRight(f).anchorX, 2);
  EXPECT_THAT(mirroredTopBottom(f).taps, ElementsAre(4, 5, 6, 1, 2, 3));
  EXPECT_EQ(mirroredTopBottom(f).anchorY, 0);
  const Filter turned = transposed(f);
  EXPECT_EQ(turned.height, 3);
  EXPECT_THAT(turned.taps, ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_EQ(turned.anchorX, 1);
  EXPECT_EQ(turned.anchorY, 0);
  for (const auto& twice : {transposed(transposed(f)), mirroredLeftRight(mirroredLeftRight(f)),
                            mirroredTopBottom(mirroredTopBottom(f)), halfTurned(halfTurned(f)),
                            halfTurned(mirroredLeftRight(mirroredTopBottom(f)))}) {
    EXPECT_EQ(twice, f);
  }
}

TEST(FilterEdit, MirrorsCarryTheOrientation) {
  Filter edge = makeFilter("edge", 1, 2, {-1, 1});
  edge.orientation = 30;
  EXPECT_EQ(mirroredLeftRight(edge).orientation, 150);
  EXPECT_EQ(mirroredTopBottom(edge).orientation, 330);
  EXPECT_EQ(halfTurned(edge).orientation, 210);
  EXPECT_EQ(transposed(edge).orientation, 60);
  Filter bar = makeFilter("bar", 1, 3, {1, 2, 1});
  bar.orientation = 30;
  EXPECT_EQ(mirroredTopBottom(bar).orientation, 150);
  EXPECT_EQ(halfTurned(bar).orientation, 30);
}

TEST(FilterEdit, KeepsChannelsApart) {
  Filter f = counting(1, 2);
  f.channels = 2;
  f.taps = {1, 2, 3, 4};
  EXPECT_THAT(withTap(f, 1, 0, 0, 9).taps, ElementsAre(1, 2, 9, 4));
  EXPECT_THAT(mirroredLeftRight(f).taps, ElementsAre(2, 1, 4, 3));
  EXPECT_THAT(resized(f, 1, 3).taps, ElementsAre(1, 2, 0, 3, 4, 0));
  EXPECT_THAT(transposed(f).taps, ElementsAre(1, 2, 3, 4));
}

TEST(BankEdit, AWalkOfRandomEditsComesBack) {
  std::mt19937 random(3);
  FilterBank bank = makeBank("sobel");
  const FilterBank start = bank;
  std::vector<std::pair<BankEdit, BankInfo>> back;
  for (int step = 0; step < 300; ++step) {
    const int index = static_cast<int>(random() % static_cast<unsigned>(bank.size()));
    BankEdit edit = ReplaceFilter{index, withTap(bank[index], 0, 0, 0, static_cast<float>(step))};
    switch (random() % 4) {
      case 0: {
        Filter copy = bank[index];
        copy.label = freeLabel(bank, copy.label);
        edit = InsertFilter{index, copy};
        break;
      }
      case 1:
        if (bank.size() > 1) edit = RemoveFilter{index};
        break;
      case 2:
        edit = MoveFilter{index, static_cast<int>(random() % static_cast<unsigned>(bank.size()))};
        break;
      default: break;
    }
    back.emplace_back(inverse(bank, edit), bank.info());
    bank = applied(bank, edit, handEdited(bank.info()));
  }
  while (!back.empty()) {
    bank = applied(bank, back.back().first, back.back().second);
    back.pop_back();
  }
  EXPECT_EQ(bank.contentHash(), start.contentHash());
  EXPECT_EQ(bank.info(), start.info());
}

}  // namespace
}  // namespace bankside::window
