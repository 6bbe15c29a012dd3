/// Two banks in a row: what is refused and how planes are named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/judge/row_streams.h"
#include "core/run/map_source.h"
#include "core/run/recipe_runner.h"
#include "tests/core/run/two_stages.h"
#include "tests/support/made_images.h"
#include "tests/support/refusals.h"

namespace bankside {
namespace {

using testing::collect;
using testing::integerBank;
using testing::integerImage;
using testing::named;
using testing::twoStages;

TEST(Stages, RefusesWhatDoesNotFit) {
  const auto complaint = [](const FilterBank& second, Combine combine, int channels) -> std::string {
    try {
      Pipeline pipeline = twoStages(integerBank(4, 1, 3, 3), Activation::None, second);
      pipeline.stages[0].combine = combine;
      Runner runner(pipeline, {}, named("reference"));
      collect(runner, integerImage(channels, 8, 8, ElementType::U8));
      return "taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput);
      return error.what();
    }
  };
  EXPECT_EQ(complaint(integerBank(1, 4, 3, 3), Combine::None, 1), "taken");
  EXPECT_EQ(
      complaint(integerBank(1, 5, 3, 3), Combine::None, 1),
      "the second bank sums over 5 channels and the first gives 4 maps; it takes filters of 4 channels, or "
      "of one channel, which are applied to every map");
  EXPECT_EQ(complaint(integerBank(1, 8, 3, 3), Combine::None, 2), "taken");
  EXPECT_THAT(complaint(integerBank(1, 8, 3, 3), Combine::None, 1),
              ::testing::HasSubstr("first gives 4 maps"));
  EXPECT_THAT(complaint(integerBank(1, 4, 3, 3), Combine::None, 2),
              ::testing::HasSubstr("first gives 8 maps"));
  EXPECT_THAT(complaint(integerBank(1, 1, 3, 3), Combine::ArgMax, 1), ::testing::HasSubstr("argmax"));
}

TEST(Stages, RefusesBeforeThereIsAnImage) {
  const auto taken = [](int channels) {
    return testing::sentenceOf([&] {
      Runner(twoStages(integerBank(4, 1, 3, 3), Activation::None, integerBank(1, channels, 3, 3)), {},
             named("reference"));
    });
  };
  EXPECT_EQ(taken(4), "");
  EXPECT_EQ(taken(1), "");
  EXPECT_EQ(taken(8), "") << "an image may have two planes";
  EXPECT_THAT(taken(5), ::testing::HasSubstr("sums over 5 channels and the first gives 4 maps"));
}

TEST(Stages, NamesMapsByTheirFilters) {
  const Runner runner(twoStages(integerBank(2, 1, 3, 3), Activation::None, integerBank(1, 1, 3, 3)), {},
                      named("reference"));
  const std::string a = integerBank(2, 1, 3, 3)[0].label;
  const std::string b = integerBank(2, 1, 3, 3)[1].label;
  EXPECT_EQ(runner.groupNames({"grey"}), (std::vector<std::string>{a, b}));
  EXPECT_EQ(runner.groupNames({"red", "green"}),
            (std::vector<std::string>{"red-" + a, "red-" + b, "green-" + a, "green-" + b}));
  EXPECT_EQ(runner.planes(2).back(), (PlaneName{3, integerBank(1, 1, 3, 3)[0].label}));
}

TEST(Stages, TheBaselineRunsTheWholeChain) {
  const Image image = integerImage(1, 20, 30, ElementType::U8);
  RunOptions options;
  options.baseline = findEngine("reference");
  Runner runner(twoStages(integerBank(3, 1, 3, 3), Activation::Relu, integerBank(2, 3, 3, 3)), options,
                named("cpu:direct"));
  BankRun run;
  collect(runner, image, &run);
  ASSERT_TRUE(run.steps.back().baseline);
  EXPECT_EQ(run.steps.back().baseline->maxAbsError, 0);
  EXPECT_EQ(run.steps.back().baseline->checked, 20 * 30 * 2);
}

TEST(Stages, ARecipeSaysAllOfIt) {
  Recipe recipe;
  recipe.stages = {{"first", FilterMode::Convolution, Combine::Max, Activation::Relu},
                   {"second", std::nullopt, Combine::Mean}};
  recipe.border = {BorderKind::Constant, 1};
  recipe.verify = VerifyLevel::Reference;
  recipe.responses = false;
  const FilterBank first = integerBank(3, 1, 3, 3);
  const FilterBank second = integerBank(2, 1, 3, 2, 4);
  Pipeline pipeline = twoStages(testing::withMode(first, FilterMode::Convolution), Activation::Relu, second);
  pipeline.stages[0].combine = Combine::Max;
  pipeline.stages[1].combine = Combine::Mean;
  pipeline.responses = false;
  pipeline.border = recipe.border;
  Runner byHand(pipeline, {}, named("reference"));
  Runner byRecipe = makeRunner(recipe, {first, second}, {}, named("reference"));
  const Image image = integerImage(1, 12, 17, ElementType::U8);
  BankRun run;
  const auto planes = collect(byRecipe, image, &run);
  EXPECT_TRUE(run.verified && run.passed);
  ASSERT_EQ(planes.size(), 1u);
  EXPECT_TRUE(samePixels(planes[0], collect(byHand, image)[0]));
  EXPECT_EQ(byRecipe.imageChannels(), 1);
  EXPECT_THROW(makePipeline(recipe, {first}), Error);
}

/// Maps of a stage of one tap, so that what is read of the image says which of them were made.
struct OneTap {
  Image image = integerImage(1, 64, 10, ElementType::U8);
  RowSource source{image};
  FilterBank tap{{}, {makeFilter("one", 1, 1, {1})}};
  BankPass stage;
  MapSource::Spare spare;
  explicit OneTap(Border border) : stage({tap, Combine::None}, border, true, {1}, named("reference")) {}
};

/// A band of the next stage has the rows that its filter sees, and no other is made.
TEST(MapSource, HoldsTheRowsOfABandAndNoMore) {
  const auto rowsMade = [](const FilterBank& next, Border border, int top, int height) {
    OneTap one(border);
    MapSource maps(one.stage, one.source, next, 0, one.spare, {});
    const ConvolutionProblem p =
        makeProblem(next, 1, 64, 10, ElementType::F32, ElementType::F32, border, Combine::None);
    maps.hold(p, {0, top, 10, height});
    const int made = one.source.rowsRead();
    maps.hold(p, {0, top, 10, height});
    EXPECT_EQ(one.source.rowsRead(), made) << "they are held";
    return made;
  };
  const Border constant{BorderKind::Constant, 0};
  const FilterBank square = integerBank(1, 1, 3, 3);
  const FilterBank even = integerBank(1, 1, 4, 4);  // the anchor is the third of four
  EXPECT_EQ(rowsMade(square, constant, 20, 1), 3);
  EXPECT_EQ(rowsMade(square, constant, 20, 3), 5);
  EXPECT_EQ(rowsMade(square, constant, 0, 1), 2) << "nothing above";
  EXPECT_EQ(rowsMade(square, constant, 63, 1), 2) << "nor below";
  EXPECT_EQ(rowsMade(square, {BorderKind::Wrap}, 0, 1), 3) << "the far end";
  EXPECT_EQ(rowsMade(even, constant, 0, 1), 2);
  EXPECT_EQ(rowsMade(even, constant, 63, 1), 3);
  EXPECT_EQ(rowsMade(testing::withMode(even, FilterMode::Convolution), constant, 0, 1), 3) << "turned";
  EXPECT_EQ(rowsMade(testing::withMode(even, FilterMode::Convolution), constant, 63, 1), 2);
}

TEST(MapSource, IsCutByItsBudget) {
  const FilterBank next = integerBank(1, 1, 7, 3);
  const auto held = [&](std::int64_t rows) {
    OneTap one({});
    const MapSource maps(one.stage, one.source, next, rows * 10 * 4, one.spare, {});
    return maps.heldRows();
  };
  EXPECT_EQ(held(64), 64);
  EXPECT_EQ(held(1000), 64);
  EXPECT_EQ(held(0), 7 + 7 / 3 + 1) << "a third more than the filter sees";
  EXPECT_EQ(held(10), 10);
  EXPECT_EQ(held(15), 15);
  EXPECT_EQ(held(16), 7 * 2 + 1) << "eight blocks of two, of which the ends may be cut";
  EXPECT_EQ(held(63), 8 * 7 + 1);
  OneTap one({});
  const MapSource maps(one.stage, one.source, next, 16 * 10 * 4, one.spare, {});
  EXPECT_EQ(maps.height(), 64);
  EXPECT_EQ(tallestFilter(next), 7);
  EXPECT_EQ(rowsWithin(maps, next, 100), 15 - 7 + 1);
  EXPECT_EQ(rowsWithin(maps, next, 5), 5);
  EXPECT_EQ(rowsWithin(maps, integerBank(1, 1, 31, 1), 5), 1);
}

/// So a band finds the rows around it, and a wrapping border its far end.
TEST(MapSource, LetsGoOfWhatNobodyAskedForForLongest) {
  OneTap one({});
  MapSource maps(one.stage, one.source, one.tap, 2 * 10 * 4, one.spare, {});
  ASSERT_EQ(maps.heldRows(), 2);
  const auto isMade = [&](int row) {
    const int before = one.source.rowsRead();
    Image out(1, 1, 10, ElementType::F32);
    maps.readRows(0, row, out.plane(0));
    return one.source.rowsRead() > before;
  };
  EXPECT_TRUE(isMade(0));
  EXPECT_TRUE(isMade(5));
  EXPECT_FALSE(isMade(0));
  EXPECT_TRUE(isMade(9)) << "in the place of row 5";
  EXPECT_FALSE(isMade(0));
  EXPECT_FALSE(isMade(9));
  EXPECT_TRUE(isMade(5));
}

TEST(MapSource, GivesWhatItHoldsWithoutTheImage) {
  OneTap one({});
  MapSource maps(one.stage, one.source, integerBank(1, 1, 3, 3), 64 * 10 * 4, one.spare, {});
  EXPECT_FALSE(maps.resident(0)) << "nothing is made yet";
  Image rows(1, 5, 10, ElementType::F32);
  maps.readRows(0, 30, rows.plane(0));
  ASSERT_TRUE(maps.resident(0));
  const int read = one.source.rowsRead();
  maps.readRows(0, 59, rows.plane(0));
  EXPECT_EQ(one.source.rowsRead(), read);
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 10; ++x) {
      const auto pixel = static_cast<float>(one.image.view<std::uint8_t>(0).at(x, 59 + y));
      EXPECT_EQ(rows.view<float>(0).at(x, y), pixel);
      EXPECT_EQ(maps.resident(0)->as<float>().at(x, 59 + y), pixel);
    }
  }
  EXPECT_GE(maps.seconds(), maps.times().at(0).total());
}

}  // namespace
}  // namespace bankside
