#include "core/run/recipe_runner.h"

#include <gtest/gtest.h>

#include "core/bench/comparison.h"
#include "core/combine.h"
#include "core/error.h"
#include "kernels/reference/reference_engine.h"
#include "tests/core/run/stacking_engine.h"
#include "tests/core/run/two_stages.h"
#include "tests/support/made_images.h"
#include "tests/support/off_engine.h"

namespace bankside {
namespace {

using testing::always;
using testing::collect;
using testing::reference;

/// Right by name, wrong by one in a corner.
class CrookedEngine final : public testing::OffEngine {
 public:
  CrookedEngine() : OffEngine(reference(), "crooked", 0, 0) {}
  Support supports(const ConvolutionProblem& p) const override {
    return p.filterWidth == 9 ? Support::no("9 is beyond it") : Support::yes();
  }
};

FilterBank mixedBank() {
  std::vector<Filter> filters = testing::integerBank(3, 1, 3, 3).filters();
  Filter wide = testing::integerBank(1, 1, 5, 7, 9)[0];
  wide.label = "wide";
  filters.insert(filters.begin() + 1, wide);
  return FilterBank({.name = "mixed"}, std::move(filters));
}

TEST(Runner, MixedSizesKeepTheirPlaces) {
  const Image image = testing::integerImage(1, 30, 41, ElementType::U8);
  const FilterBank bank = mixedBank();
  Runner runner(bank, {}, always(reference()));
  const auto planes = collect(runner, image);
  ASSERT_EQ(planes.size(), 4u);
  for (int f = 0; f < 4; ++f) {
    const FilterBank one({}, {bank[f]});
    const auto p = makeProblem(one, 1, 30, 41, ElementType::U8, ElementType::F32, {}, Combine::None);
    EXPECT_TRUE(samePixels(planes[static_cast<std::size_t>(f)], runWhole(reference(), p, one, image)[0]))
        << f;
    EXPECT_EQ(runner.planes(1)[static_cast<std::size_t>(f)].label, bank[f].label);
  }
}

TEST(Runner, EveryRouteToACombineGivesTheSameBytes) {
  const Image image = testing::integerImage(2, 23, 37, ElementType::U16);
  for (const Combine combine : allCombines) {
    if (combine == Combine::None) continue;
    const FilterBank bank = testing::integerBank(5, 1, 3, 4);
    Runner fused({bank, combine, false}, {}, always(reference()));
    Runner apart({bank, combine}, {}, always(reference()));
    RunOptions little;
    little.memoryBudget = 37 * 4 * 13 * 5;
    Runner banded({bank, combine}, little, always(reference()));
    const auto map = collect(fused, image);
    const auto all = collect(apart, image);
    BankRun run;
    const auto parts = collect(banded, image, &run);
    EXPECT_GT(run.bands, 2);
    ASSERT_EQ(all.size(), map.size() + 10);
    EXPECT_EQ(apart.planes(2).size(), all.size());
    for (std::size_t i = 0; i < map.size(); ++i)
      EXPECT_TRUE(samePixels(map[i], all[10 + i])) << toString(combine) << i;
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_TRUE(samePixels(parts[i], all[i])) << toString(combine) << i;
  }
}

TEST(Runner, APartHasTheBytesThatItHasInTheWhole) {
  const Image image = testing::randomImage(1, 40, 50, ElementType::F32);
  for (const bool responses : {true, false}) {
    RunOptions options;
    options.memoryBudget = 4000;  // several bands
    Runner runner({testing::randomBank(3, 1, 5, 5), Combine::Max, responses}, options, always(reference()));
    const std::vector<Image> whole = collect(runner, image);
    ImageSource source(image);
    const Region part{7, 11, 20, 23};
    int rows = 0;
    const auto compare = [&](int firstRow, const std::vector<Image>& band) {
      ASSERT_EQ(firstRow, rows);
      ASSERT_EQ(band.size(), whole.size());
      rows += band[0].height();
      for (std::size_t i = 0; i < band.size(); ++i) {
        ASSERT_EQ(band[i].width(), part.width);
        for (int y = 0; y < band[i].height(); ++y) {
          for (int x = 0; x < part.width; ++x) {
            ASSERT_EQ(band[i].view<float>(0).at(x, y),
                      whole[i].view<float>(0).at(part.x + x, part.y + firstRow + y));
          }
        }
      }
    };
    runner.run(source, compare, {}, part);
    EXPECT_EQ(rows, part.height);
    EXPECT_THROW(runner.run(source, compare, {}, Region{40, 0, 20, 5}), Error);
  }
}

TEST(Runner, NamesPlanesByChannelLabelAndCombine) {
  Runner runner({testing::integerBank(2, 1, 3, 3), Combine::ArgMax, false}, {}, always(reference()));
  const std::vector<PlaneName> expected = {
      {0, "argmax"}, {0, "argmax-index"}, {1, "argmax"}, {1, "argmax-index"}};
  EXPECT_EQ(runner.planes(2), expected);
}

TEST(Runner, ModeOverridesTheBanks) {
  const Image image = testing::integerImage(1, 9, 9, ElementType::U8);
  const FilterBank bank = testing::integerBank(1, 1, 2, 3);
  Runner asWritten(testing::withMode(bank, FilterMode::Convolution), {}, always(reference()));
  Recipe recipe;
  recipe.stages[0].mode = FilterMode::Convolution;
  Runner overridden = makeRunner(recipe, {bank}, {}, always(reference()));
  Runner correlated(bank, {}, always(reference()));
  EXPECT_TRUE(samePixels(collect(asWritten, image)[0], collect(overridden, image)[0]));
  EXPECT_FALSE(samePixels(collect(correlated, image)[0], collect(overridden, image)[0]));
}

TEST(Runner, AWrongBandIsNeverGiven) {
  const CrookedEngine crooked;
  Runner runner(testing::randomBank(2, 1, 3, 3), {.plan = {}, .verifyReference = true}, always(crooked));
  const Image image = testing::randomImage(1, 8, 8, ElementType::F32);
  ImageSource source(image);
  int given = 0;
  const BankRun run = runner.run(source, [&](int, const std::vector<Image>&) { ++given; });
  EXPECT_FALSE(run.passed);
  EXPECT_EQ(given, 0);
  EXPECT_EQ(run.steps[0].reference->failed, 1);
}

TEST(Runner, ComparesWithTheBaseline) {
  const CrookedEngine crooked;
  Runner runner(testing::randomBank(1, 1, 3, 3), {.plan = {}, .baseline = &crooked}, always(reference()));
  const Image image = testing::randomImage(1, 8, 8, ElementType::F32);
  ImageSource source(image);
  const BankRun run = runner.run(source, [](int, const std::vector<Image>&) {});
  ASSERT_TRUE(run.steps[0].baseline);
  EXPECT_NEAR(run.steps[0].baseline->maxAbsError, 1, 1e-6);
  EXPECT_TRUE(run.passed) << "another engine's opinion is no verdict";
}

TEST(Comparison, WrongAndRefusingEnginesShowNoSpeed) {
  const CrookedEngine crooked;
  const Image image = testing::randomImage(1, 16, 16, ElementType::U8);
  const auto compare = [&](const FilterBank& bank) {
    BenchReport report{.kind = ReportKind::Comparison};
    ImageSource source(image);
    ComparisonOptions options;
    options.baseline = "reference";
    options.measure = {.minRounds = 6, .maxRounds = 6, .seconds = 0};
    compareEngines(report, bank, source, {{&reference(), 1}, {&crooked, 1}}, options, {});
    return report;
  };
  const BenchReport wrong = compare(testing::randomBank(2, 1, 3, 3));
  EXPECT_EQ(wrong.rows[0].disposition, Disposition::Passed);
  EXPECT_EQ(wrong.rows[0].times.at(Phase::Whole).samples.size(), 6u);
  EXPECT_EQ(wrong.rows[1].disposition, Disposition::Incorrect);
  EXPECT_FALSE(wrong.rows[1].timed());
  EXPECT_NE(toTable(wrong).find("INCORRECT"), std::string::npos);
  EXPECT_NE(toJson(wrong).find("\"disposition\": \"INCORRECT\""), std::string::npos);
  const BenchReport refused = compare(testing::randomBank(2, 1, 9, 9));
  EXPECT_EQ(refused.rows[1].disposition, Disposition::Unsupported);
  EXPECT_EQ(refused.rows[1].reason, "9 is beyond it");
  EXPECT_FALSE(refused.rows[1].timed());
}

}  // namespace
}  // namespace bankside
