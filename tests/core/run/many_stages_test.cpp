/// Three and four banks in a row, against a composition in double precision.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/run/recipe_runner.h"
#include "tests/core/run/two_stages.h"
#include "tests/support/made_images.h"
#include "tests/support/off_engine.h"

namespace bankside {
namespace {

using testing::collect;
using testing::integerBank;
using testing::integerImage;
using testing::named;
using testing::randomBank;

using Plane = std::vector<double>;

/// What a pipeline computes, with none of the house's code but the border.
std::vector<Plane> compose(const Pipeline& pipeline, const Image& image) {
  const int height = image.height();
  const int width = image.width();
  std::vector<Plane> seen;
  const Image floats = convert(image, ElementType::F32);
  for (int c = 0; c < image.channels(); ++c) {
    Plane& plane = seen.emplace_back();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) plane.push_back(floats.view<float>(c).at(x, y));
  }
  const auto at = [&](const Plane& plane, int x, int y) {
    const int ix = borderIndex(x, width, pipeline.border.kind);
    const int iy = borderIndex(y, height, pipeline.border.kind);
    return ix < 0 || iy < 0 ? static_cast<double>(pipeline.border.value)
                            : plane[static_cast<std::size_t>(iy) * static_cast<std::size_t>(width) +
                                    static_cast<std::size_t>(ix)];
  };
  for (const BankStage& stage : pipeline.stages) {
    const bool summed = stage.bank.channels() == static_cast<int>(seen.size());
    std::vector<Plane> maps;
    for (std::size_t g = 0; g < (summed ? 1 : seen.size()); ++g) {
      std::vector<Plane> responses;
      for (const Filter& f : stage.bank.filters()) {
        Plane& plane = responses.emplace_back();
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) {
            double sum = 0;
            for (int c = 0; c < f.channels; ++c)
              for (int ky = 0; ky < f.height; ++ky)
                for (int kx = 0; kx < f.width; ++kx)
                  sum += static_cast<double>(f.tap(c, ky, kx)) *
                         at(seen[summed ? static_cast<std::size_t>(c) : g], x + kx - f.anchorX,
                            y + ky - f.anchorY);
            plane.push_back(sum);
          }
        }
      }
      if (stage.combine == Combine::Max) {
        for (std::size_t f = 1; f < responses.size(); ++f)
          for (std::size_t i = 0; i < responses[0].size(); ++i)
            responses[0][i] = std::max(responses[0][i], responses[f][i]);
        responses.resize(1);
      }
      for (Plane& plane : responses) {
        for (double& v : plane) {
          if (stage.activation == Activation::Abs) v = std::abs(v);
          if (stage.activation == Activation::Relu) v = std::max(v, 0.0);
          if (stage.activation == Activation::Square) v *= v;
        }
        maps.push_back(std::move(plane));
      }
    }
    seen = std::move(maps);
  }
  return seen;
}

/// [1] -> 3 -> max over 2 sums of 3: 1 -> 2 (-> 4, where there are four).
Pipeline pipelineOf(int stages, Border border, FilterBank (*bank)(int, int, int, int, std::uint64_t)) {
  Pipeline pipeline;
  pipeline.stages.push_back({bank(3, 1, 3, 2, 1), Combine::None, Activation::Abs});
  pipeline.stages.push_back({bank(2, 3, 2, 3, 2), Combine::Max, Activation::Relu});
  pipeline.stages.push_back({bank(2, 1, 3, 3, 3)});
  if (stages == 4) {
    pipeline.stages.back().activation = Activation::Abs;
    pipeline.stages.push_back({bank(2, 1, 2, 2, 4)});
  }
  pipeline.border = border;
  return pipeline;
}

FilterBank integers(int filters, int channels, int height, int width, std::uint64_t seed) {
  return integerBank(filters, channels, height, width, seed);
}

FilterBank fractions(int filters, int channels, int height, int width, std::uint64_t seed) {
  return randomBank(filters, channels, height, width, seed);
}

TEST(ManyStages, AreTheCompositionOfTheirStages) {
  const Image image = testing::randomImage(1, 19, 23, ElementType::U8);
  for (const int stages : {3, 4}) {
    for (const Border border : {Border{BorderKind::Reflect101}, Border{BorderKind::Wrap},
                                Border{BorderKind::Constant, 3}, Border{BorderKind::Replicate}}) {
      const Pipeline pipeline = pipelineOf(stages, border, fractions);
      const auto expected = compose(pipeline, image);
      double largest = 0;
      for (const Plane& plane : expected)
        for (const double v : plane) largest = std::max(largest, std::abs(v));
      for (const char* engine : {"reference", "cpu:direct", "cpu:separable", "cpu:fft", "cpu"}) {
        Runner runner(pipeline, {.plan = {}, .verifyReference = true}, named(engine));
        BankRun run;
        const auto planes = collect(runner, image, &run);
        ASSERT_EQ(planes.size(), expected.size());
        ASSERT_EQ(planes.size(), stages == 3 ? 2u : 4u);
        for (std::size_t i = 0; i < planes.size(); ++i)
          for (int y = 0; y < 19; ++y)
            for (int x = 0; x < 23; ++x)
              ASSERT_NEAR(planes[i].view<float>(0).at(x, y),
                          expected[i][static_cast<std::size_t>(y * 23 + x)], 1e-4 * largest)
                  << engine << " " << format(border) << " plane " << i;
        EXPECT_TRUE(run.passed && run.verified) << engine << " " << run.steps.back().reference->place();
        std::vector<int> numbers;
        for (const StepReport& step : run.steps) numbers.push_back(step.stage);
        EXPECT_EQ(numbers, stages == 3 ? (std::vector<int>{1, 2, 3}) : (std::vector<int>{1, 2, 3, 4}));
        EXPECT_EQ(run.steps.back().reference->checked,
                  19 * 23 * static_cast<std::int64_t>(run.steps.back().reference ? planes.size() : 0));
      }
    }
  }
}

TEST(ManyStages, WholeNumbersComeOutBitForBit) {
  const Image image = integerImage(1, 17, 20, ElementType::U8);
  for (const int stages : {3, 4}) {
    const Pipeline pipeline = pipelineOf(stages, {BorderKind::Reflect101}, integers);
    const auto expected = compose(pipeline, image);
    Runner runner(pipeline, {.plan = {}, .verifyReference = true}, named("cpu:direct"));
    BankRun run;
    const auto planes = collect(runner, image, &run);
    EXPECT_EQ(run.steps.back().reference->maxAbsError, 0);
    for (std::size_t i = 0; i < planes.size(); ++i)
      for (int y = 0; y < 17; ++y)
        for (int x = 0; x < 20; ++x)
          ASSERT_EQ(planes[i].view<float>(0).at(x, y), expected[i][static_cast<std::size_t>(y * 20 + x)]);
  }
}

TEST(ManyStages, BandsBudgetsThreadsAndPartsChangeNoByte) {
  const Image image = testing::randomImage(1, 83, 47, ElementType::U16);
  for (const char* engine : {"reference", "cpu:direct", "cpu:karatsuba", "cpu:fft"}) {
    for (const BorderKind border : {BorderKind::Reflect101, BorderKind::Wrap, BorderKind::Constant}) {
      const Pipeline pipeline = pipelineOf(4, {border, 2}, fractions);
      Runner whole(pipeline, {}, named(engine));
      BankRun run;
      const auto expected = collect(whole, image, &run);
      ASSERT_EQ(run.bands, 1);
      // Transforms and blocks of rows read more rows than the filters are high.
      const bool byRows = std::string(engine) == "reference" || std::string(engine) == "cpu:direct";
      for (const std::int64_t budget : {47 * 4 * (byRows ? 9 : 600), 47 * 4 * (byRows ? 100 : 800)}) {
        for (const int threads : {1, 2}) {
          RunOptions options;
          options.memoryBudget = budget;
          options.plan.threads = threads;
          options.verifyReference = threads == 2 && budget > 47 * 4 * 9;
          Runner banded(pipeline, options, named(engine));
          const auto parts = collect(banded, image, &run);
          EXPECT_GT(run.bands, 1);
          EXPECT_TRUE(run.passed);
          ASSERT_EQ(parts.size(), expected.size());
          for (std::size_t i = 0; i < parts.size(); ++i)
            EXPECT_TRUE(samePixels(parts[i], expected[i]))
                << engine << " " << toString(border) << " budget " << budget << " plane " << i;
          ImageSource source(image);
          const Region area{11, 29, 20, 31};
          banded.run(
              source,
              [&](int firstRow, const std::vector<Image>& band) {
                for (std::size_t i = 0; i < band.size(); ++i)
                  for (int y = 0; y < band[i].height(); ++y)
                    for (int x = 0; x < area.width; ++x)
                      ASSERT_EQ(band[i].view<float>(0).at(x, y),
                                expected[i].view<float>(0).at(area.x + x, area.y + firstRow + y));
              },
              {}, area);
        }
      }
    }
  }
}

TEST(ManyStages, TheJudgeSeesAWrongMapInTheMiddle) {
  const testing::OffEngine off(*findEngine("cpu:direct"), "off", 20, 11);
  Pipeline pipeline;
  pipeline.stages.push_back({randomBank(3, 1, 3, 3, 1), Combine::None, Activation::Abs});
  pipeline.stages.push_back({randomBank(2, 3, 3, 3, 2), Combine::None, Activation::None});
  pipeline.stages.push_back({randomBank(1, 2, 3, 3, 3)});
  Runner runner(pipeline, {.plan = {}, .verifyReference = true},
                [&](const ConvolutionProblem& p) -> const Engine& {
                  return p.channels == 3 ? static_cast<const Engine&>(off) : *findEngine("cpu:direct");
                });
  const Image image = testing::randomImage(1, 24, 40, ElementType::U8);
  ImageSource source(image);
  int given = 0;
  const BankRun run = runner.run(source, [&](int, const std::vector<Image>&) { ++given; });
  EXPECT_FALSE(run.passed);
  EXPECT_EQ(given, 0);
  EXPECT_EQ(run.steps.back().reference->failed, 9) << "the last bank's 3 x 3 pixels around it, no other";
}

TEST(ManyStages, NonFinitePixelsAreRightHoweverFarTheySpread) {
  Image image = testing::randomImage(1, 30, 40, ElementType::F32);
  image.view<float>(0).at(9, 8) = std::numeric_limits<float>::quiet_NaN();
  image.view<float>(0).at(29, 20) = -std::numeric_limits<float>::infinity();
  for (const char* engine : {"reference", "cpu:direct", "cpu:fft"}) {
    for (const Activation activation : allActivations) {
      Pipeline pipeline = pipelineOf(4, {}, fractions);
      pipeline.stages[1].activation = pipeline.stages[2].activation = activation;
      Runner runner(pipeline, {.plan = {}, .verifyReference = true}, named(engine));
      BankRun run;
      collect(runner, image, &run);
      EXPECT_TRUE(run.passed) << engine << " " << toString(activation) << " "
                              << run.steps.back().reference->place();
    }
  }
}

TEST(ManyStages, TheBaselineRunsTheWholePipeline) {
  RunOptions options;
  options.baseline = findEngine("reference");
  Runner runner(pipelineOf(4, {}, integers), options, named("cpu:direct"));
  BankRun run;
  collect(runner, integerImage(1, 17, 20, ElementType::U8), &run);
  ASSERT_TRUE(run.steps.back().baseline);
  EXPECT_EQ(run.steps.back().baseline->maxAbsError, 0);
}

TEST(ManyStages, RefusesWhatDoesNotFitAndSaysWhere) {
  const auto complaint = [](const Pipeline& pipeline, int channels) -> std::string {
    try {
      Runner runner(pipeline, {}, named("reference"));
      collect(runner, integerImage(channels, 8, 8, ElementType::U8));
      return "taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput);
      return error.what();
    }
  };
  Pipeline pipeline = pipelineOf(4, {}, integers);
  EXPECT_EQ(complaint(pipeline, 1), "taken");
  EXPECT_THAT(complaint(pipeline, 2), ::testing::HasSubstr("the second bank sums over 3 channels and the "
                                                           "first gives 6 maps"));
  pipeline.stages[3].bank = integerBank(1, 5, 3, 3);
  EXPECT_EQ(
      complaint(pipeline, 1),
      "the 4th bank sums over 5 channels and the third gives 2 maps; it takes filters of 2 channels, or "
      "of one channel, which are applied to every map");
  pipeline = pipelineOf(4, {}, integers);
  pipeline.stages[2].combine = Combine::ArgMax;
  EXPECT_THAT(complaint(pipeline, 1), ::testing::HasSubstr("which a 4th bank cannot filter"));
  pipeline = pipelineOf(3, {}, integers);
  pipeline.stages[2].activation = Activation::Abs;
  EXPECT_THAT(complaint(pipeline, 1), ::testing::HasSubstr("not after the last"));
  EXPECT_THAT(complaint(Pipeline(), 1), ::testing::HasSubstr("needs a stage"));
}

TEST(ManyStages, NamesCarryTheMapsBefore) {
  Pipeline pipeline;
  for (int i = 0; i < 3; ++i) pipeline.stages.push_back({integerBank(2, 1, 3, 3)});
  const Runner runner(pipeline, {}, named("reference"));
  const std::string a = integerBank(2, 1, 3, 3)[0].label;
  const std::string b = integerBank(2, 1, 3, 3)[1].label;
  EXPECT_EQ(runner.groupNames({"grey"}),
            (std::vector<std::string>{a + "-" + a, a + "-" + b, b + "-" + a, b + "-" + b}));
  EXPECT_EQ(runner.planes(1).size(), 8u);
}

}  // namespace
}  // namespace bankside
