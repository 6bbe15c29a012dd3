/// What stands behind every front end takes an engine that it has never heard of.
#include <gtest/gtest.h>

#include "core/bench/comparison.h"
#include "core/judge/conformance.h"
#include "core/run/gathered_planes.h"
#include "core/run/runner.h"
#include "kernels/engines.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::randomBank;
using testing::randomImage;

const Engine& madeUp() { return *findEngine("madeup"); }

ChooseEngine always() {
  return [](const ConvolutionProblem& problem) -> const Engine& {
    return selectEngine("madeup:cycle", problem);
  };
}

std::vector<Image> gather(Runner& runner, Source& source, BankRun& run,
                          const std::optional<Region>& part = {}) {
  GatheredPlanes gathered(part ? part->height : source.height());
  run = runner.run(
      source, [&](int firstRow, const std::vector<Image>& band) { gathered.add(firstRow, band); }, {}, part);
  return std::move(gathered.images());
}

TEST(MadeUpEngine, IsInTheList) {
  EXPECT_EQ(madeUp().name(), "madeup:cycle");
  EXPECT_EQ(&selectEngine("madeup", ConvolutionProblem{}), &madeUp());
}

TEST(MadeUpEngine, Conforms) {
  const Engine& reference = *findEngine("reference");
  for (std::size_t i = 0; i < conformanceProblems().size(); i += 9) {
    const ConvolutionProblem problem = parseProblem(conformanceProblems()[i]);
    for (const MadePixels pixels : {MadePixels::Integers, MadePixels::Random, MadePixels::NonFinite}) {
      if (!applies(pixels, problem)) continue;
      const ConformanceResult result = checkConformance(madeUp(), reference, problem, pixels);
      EXPECT_TRUE(result.passed) << result.sentence;
    }
  }
}

TEST(MadeUpEngine, RunsFusedInBandsAndByRegion) {
  const Image image = randomImage(1, 61, 83, ElementType::U16);
  const FilterBank bank = randomBank(5, 1, 7, 5);
  ImageSource source(image);
  Pipeline pipeline{bank, Combine::ArgMax};
  pipeline.responses = false;
  RunOptions options{.plan = {}, .verifyReference = true};
  BankRun run;
  Runner runner(pipeline, options, always());
  const auto whole = gather(runner, source, run);
  ASSERT_EQ(run.steps.size(), 1u);
  EXPECT_EQ(run.steps[0].problem.combine, Combine::ArgMax) << "fused";
  EXPECT_EQ(run.steps[0].plan.shape, "one row at a time");
  EXPECT_TRUE(run.verified && run.passed);

  options.memoryBudget = 10000;
  Runner banded(pipeline, options, always());
  const auto rows = gather(banded, source, run);
  EXPECT_GT(run.bands, 1);
  EXPECT_TRUE(run.passed);
  ASSERT_EQ(rows.size(), whole.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_TRUE(samePixels(rows[i], whole[i]));

  const Region area{20, 11, 33, 17};
  const auto part = gather(runner, source, run, area);
  EXPECT_TRUE(run.verified && run.passed);
  EXPECT_EQ(part.at(0).width(), area.width);
}

TEST(MadeUpEngine, IsComparedAndReported) {
  const Image image = randomImage(1, 40, 50, ElementType::U8);
  ImageSource source(image);
  ComparisonOptions options;
  options.measure = {.minRounds = 3, .seconds = 0};
  options.baseline = findEngine("cpu")->name();
  BenchReport report{.kind = ReportKind::Comparison};
  compareEngines(report, randomBank(3, 1, 3, 3), source, {{&madeUp(), 1}, {findEngine("cpu"), 1}}, options,
                 {});
  ASSERT_EQ(report.rows.size(), 2u);
  const BenchRow& run = report.rows.front();
  EXPECT_EQ(run.disposition, Disposition::Passed) << run.reason;
  EXPECT_TRUE(run.toBaseline);
  EXPECT_TRUE(run.directSums);
  for (const std::string& text : {toJson(report), toCsv(report), toMarkdown(report), toTable(report)}) {
    EXPECT_NE(text.find("madeup:cycle"), std::string::npos) << text;
    EXPECT_NE(text.find("one row at a time"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace bankside
