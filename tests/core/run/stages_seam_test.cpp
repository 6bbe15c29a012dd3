/// Two banks in a row: what is refused and how planes are named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/run/recipe_runner.h"
#include "tests/core/run/two_stages.h"
#include "tests/support/made_images.h"

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

}  // namespace
}  // namespace bankside
