/// Two banks in a row: what is refused, how planes are named, and the seam for engines that keep the maps.
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
using testing::randomBank;
using testing::twoStages;

TEST(Stages, RefusesWhatDoesNotFit) {
  const auto complaint = [](const FilterBank& second, const RunnerOptions& options,
                            int channels) -> std::string {
    try {
      Runner runner(second, options, named("reference"));
      collect(runner, integerImage(channels, 8, 8, ElementType::U8));
      return "taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput);
      return error.what();
    }
  };
  RunnerOptions options = twoStages(integerBank(4, 1, 3, 3), Activation::None);
  EXPECT_EQ(complaint(integerBank(1, 4, 3, 3), options, 1), "taken");
  EXPECT_EQ(
      complaint(integerBank(1, 5, 3, 3), options, 1),
      "the second bank sums over 5 channels and the first gives 4 maps; it takes filters of 4 channels, or "
      "of one channel, which are applied to every map");
  EXPECT_EQ(complaint(integerBank(1, 8, 3, 3), options, 2), "taken");
  EXPECT_THAT(complaint(integerBank(1, 8, 3, 3), options, 1), ::testing::HasSubstr("first gives 4 maps"));
  EXPECT_THAT(complaint(integerBank(1, 4, 3, 3), options, 2), ::testing::HasSubstr("first gives 8 maps"));
  options.first->combine = Combine::ArgMax;
  EXPECT_THAT(complaint(integerBank(1, 1, 3, 3), options, 1), ::testing::HasSubstr("argmax"));
}

TEST(Stages, NamesMapsByTheirFilters) {
  RunnerOptions options = twoStages(integerBank(2, 1, 3, 3), Activation::None);
  const Runner runner(integerBank(1, 1, 3, 3), options, named("reference"));
  const std::string a = integerBank(2, 1, 3, 3)[0].label;
  const std::string b = integerBank(2, 1, 3, 3)[1].label;
  EXPECT_EQ(runner.groupNames({"grey"}), (std::vector<std::string>{a, b}));
  EXPECT_EQ(runner.groupNames({"red", "green"}),
            (std::vector<std::string>{"red-" + a, "red-" + b, "green-" + a, "green-" + b}));
  EXPECT_EQ(runner.planes(2).back(), (PlaneName{3, integerBank(1, 1, 3, 3)[0].label}));
}

TEST(Stages, TheBaselineRunsTheWholeChain) {
  const Image image = integerImage(1, 20, 30, ElementType::U8);
  RunnerOptions options = twoStages(integerBank(3, 1, 3, 3), Activation::Relu);
  options.baseline = findEngine("reference");
  Runner runner(integerBank(2, 3, 3, 3), options, named("cpu:direct"));
  BankRun run;
  collect(runner, image, &run);
  ASSERT_TRUE(run.steps.back().baseline);
  EXPECT_EQ(run.steps.back().baseline->maxAbsError, 0);
  EXPECT_EQ(run.steps.back().baseline->checked, 20 * 30 * 2);
}

/// Chains two reference plans behind the seam, as an engine on a device would.
class ChainingEngine final : public Engine {
 public:
  std::string name() const override { return "chaining"; }
  std::string device() const override { return "CPU"; }
  std::string description() const override { return "two plans in one"; }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem&, const FilterBank&,
                                const PlanOptions&) const override {
    throw Error(ErrorCode::Device, "not to be asked");
  }
  std::unique_ptr<ChainedPlan> prepareChain(const ChainedProblem& chain, const FilterBank& first,
                                            const FilterBank& second, const PlanOptions& o) const override {
    ++prepared;
    const Engine& reference = *findEngine("reference");
    return std::make_unique<Chain>(chain, reference.prepare(chain.first, first, o),
                                   reference.prepare(chain.second, second, o));
  }
  mutable int prepared = 0;

 private:
  class Chain final : public ChainedPlan {
   public:
    Chain(const ChainedProblem& chain, std::unique_ptr<Plan> first, std::unique_ptr<Plan> second)
        : chain_(chain), first_(std::move(first)), second_(std::move(second)) {}
    PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
      ImageSink maps(chain_.first, wholeImage(chain_.first));
      first_->run(source, maps, wholeImage(chain_.first), stop);
      Image kept(chain_.second.channels, chain_.second.height, chain_.second.width, ElementType::F32);
      for (int c = 0; c < kept.channels(); ++c) {
        ImageSource(maps.images()[static_cast<std::size_t>(c)]).readRows(0, 0, kept.plane(c));
        for (int y = 0; y < kept.height(); ++y)
          activate(chain_.activation, kept.view<float>(c).row(y), kept.width());
      }
      ImageSource seen(kept);
      return second_->run(seen, sink, region, stop);
    }
    PlanInfo info() const override { return {.shape = "kept"}; }
    NumericTraits traits() const override { return second_->traits(); }
    ErrorBound firstErrorBound() const override { return first_->errorBound(); }

   private:
    ChainedProblem chain_;
    std::unique_ptr<Plan> first_;
    std::unique_ptr<Plan> second_;
  };
};

TEST(Stages, AnEngineMayKeepTheMaps) {
  const ChainingEngine chaining;
  const Image image = testing::randomImage(1, 31, 26, ElementType::U8);
  RunnerOptions options = twoStages(randomBank(3, 1, 5, 5), Activation::Square);
  options.combine = Combine::ArgMax;
  options.verifyReference = true;
  const FilterBank second = randomBank(4, 3, 3, 3, 5);
  Runner apart(second, options, named("reference"));
  options.memoryBudget = 26 * 4 * 100;
  Runner chained(second, options, [&](const ConvolutionProblem&) -> const Engine& { return chaining; });
  BankRun run;
  const auto expected = collect(apart, image);
  for (int times = 0; times < 2; ++times) {
    const auto planes = collect(chained, image, &run);
    EXPECT_GT(run.bands, 2);
    EXPECT_TRUE(run.passed);
    ASSERT_EQ(run.steps.size(), 2u);
    EXPECT_EQ(run.steps[1].plan.shape, "kept");
    EXPECT_EQ(run.steps[1].reference->checked, 31 * 26 * 4);
    ASSERT_EQ(planes.size(), expected.size());
    for (std::size_t i = 0; i < planes.size(); ++i) EXPECT_TRUE(samePixels(planes[i], expected[i])) << i;
  }
  EXPECT_EQ(chaining.prepared, 1) << "plans are kept";
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
  RunnerOptions options = twoStages(first, Activation::Relu);
  options.first->mode = FilterMode::Convolution;
  options.first->combine = Combine::Max;
  options.combine = Combine::Mean;
  options.responses = false;
  options.border = recipe.border;
  Runner byHand(second, options, named("reference"));
  Runner byRecipe = makeRunner(recipe, {first, second}, {}, named("reference"));
  const Image image = integerImage(1, 12, 17, ElementType::U8);
  BankRun run;
  const auto planes = collect(byRecipe, image, &run);
  EXPECT_TRUE(run.verified && run.passed);
  ASSERT_EQ(planes.size(), 1u);
  EXPECT_TRUE(samePixels(planes[0], collect(byHand, image)[0]));
  EXPECT_EQ(byRecipe.imageBank().size(), 3);
  EXPECT_THROW(runnerOptions(recipe, {first}), Error);
}

}  // namespace
}  // namespace bankside
