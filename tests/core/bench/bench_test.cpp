/// The benchmark's grid, rows and driver, with the engines of this build on tiny problems.
#include "core/bench/bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/bench/comparison.h"
#include "core/error.h"
#include "core/judge/compare.h"
#include "core/made_input.h"
#include "core/sample_rows.h"
#include "kernels/engines.h"
#include "kernels/highway/limits.h"

namespace bankside {
namespace {

BenchGrid tinyGrid() {
  BenchGrid grid;
  grid.sizes = {24, 33};
  grid.filterSizes = {3, 5};
  grid.filterCounts = {1, 4};
  grid.types = {ElementType::U8, ElementType::F32};
  grid.threads = {1, 2};
  grid.combines = {Combine::None, Combine::Max};
  grid.banks = {BankKind::Dense, BankKind::Separable};
  return grid;
}

TEST(BenchGrid, WalksEveryCombinationOnceAndFilterSizesFastest) {
  const auto cells = cellsOf(tinyGrid());
  ASSERT_EQ(cells.size(), 2u * 2 * 2 * 2 * 2 * 2 * 2);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(std::count(cells.begin(), cells.end(), cells[i]), 1);
    EXPECT_EQ(cells[i].filterSize, i % 2 == 0 ? 3 : 5);
  }
}

TEST(BenchGrid, NamedBankBringsItsOwnShape) {
  BenchGrid grid = tinyGrid();
  grid.banks = {BankKind::Named};
  EXPECT_THROW(cellsOf(grid), Error);
  grid.named = FilterBank({.name = "two"}, {makeFilter("a", 7, 7, std::vector<float>(49, 1.0f)),
                                            makeFilter("b", 7, 7, std::vector<float>(49, 2.0f))});
  const auto cells = cellsOf(grid);
  ASSERT_EQ(cells.size(), 2u * 2 * 2 * 2);
  EXPECT_EQ(cells[0].filterSize, 7);
  EXPECT_EQ(cells[0].filterCount, 2);
}

TEST(BenchGrid, BanksAreWhatTheirKindSays) {
  const BenchGrid grid;
  const BenchCell cell{.size = 10, .filterSize = 5, .filterCount = 3};
  const FilterBank dense = bankOf(cell, grid);
  EXPECT_EQ(nonZeroFlops(problemOf(cell, dense), dense), 2.0 * 3 * 25 * 100);
  EXPECT_EQ(dense.contentHash(), bankOf(cell, grid).contentHash());
  BenchCell separable = cell;
  separable.bank = BankKind::Separable;
  const FilterBank bank = bankOf(separable, grid);
  for (const Filter& f : bank.filters()) {  // every 2 x 2 minor of a column times a row is zero
    const double minor = static_cast<double>(f.tap(0, 0, 0)) * f.tap(0, 4, 4) -
                         static_cast<double>(f.tap(0, 0, 4)) * f.tap(0, 4, 0);
    EXPECT_NEAR(minor, 0, 1e-6 * std::fabs(f.tap(0, 0, 0) * f.tap(0, 4, 4)));
    EXPECT_NE(f.tap(0, 2, 2), 0);
  }
}

TEST(SampleRows, HoldsBothEndsAndSpreads) {
  for (const int height : {6, 100, 4096}) {
    const auto rows = sampleRows(height, 6, 7);
    ASSERT_EQ(rows.size(), 6u) << height;
    EXPECT_EQ(rows.front(), 0);
    EXPECT_EQ(rows.back(), height - 1);
    EXPECT_TRUE(std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) == rows.end());
    for (int i = 1; i < 5; ++i) {  // one in each quarter of what lies between
      EXPECT_GE(rows[static_cast<std::size_t>(i)], 1 + (height - 2) * (i - 1) / 4);
      EXPECT_LT(rows[static_cast<std::size_t>(i)], 1 + (height - 2) * i / 4);
    }
    EXPECT_EQ(rows, sampleRows(height, 6, 7));
  }
  EXPECT_EQ(sampleRows(3, 6, 1), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(sampleRows(3, 0, 1), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(sampleRows(9, 1, 1), (std::vector<int>{0}));
}

/// A wrong row is found if it is looked at, and only then.
TEST(SampleRows, JudgesTheRowsItIsGiven) {
  const BenchCell cell{.size = 40, .filterSize = 3, .filterCount = 2};
  const FilterBank bank = bankOf(cell, {});
  const ConvolutionProblem problem = problemOf(cell, bank);
  Image image(1, 40, 40, ElementType::F32);
  for (int y = 0; y < 40; ++y) std::fill_n(image.view<float>(0).row(y), 40, static_cast<float>(y % 7));
  auto results = runWhole(*findEngine("reference"), problem, bank, image);
  results[1].view<float>(0).at(5, 17) += 1;
  ImageSource source(image);
  const auto judge = [&](const std::vector<int>& rows) {
    return verifyRows(problem, bank, source, wholeImage(problem), results, {gammaBound(9)}, rows);
  };
  const Verification without = judge({0, 3, 4, 5, 39});
  EXPECT_TRUE(without.passed) << without.place();
  EXPECT_EQ(without.checked, 5 * 40 * 2);
  const Verification with = judge({0, 16, 17, 18, 39});
  EXPECT_FALSE(with.passed);
  EXPECT_EQ(with.failed, 1);
  EXPECT_EQ(with.x, 5);
  EXPECT_EQ(with.y, 17);
  EXPECT_EQ(with.plane, 1);
}

TEST(Limits, AreRatesOfThisMachine) {
  const LimitOptions small{.threads = 1, .seconds = 0.02, .planes = 4, .planeBytes = 1 << 20};
  const MachineLimits limits = measureLimits(small);
  EXPECT_EQ(limits.threads, 1);
  EXPECT_FALSE(limits.target.empty());
  EXPECT_GT(limits.storeBytes, 1e8);
  EXPECT_GT(limits.copyBytes, 1e8);
  // More than no vectors could do, less than 64 operations a cycle at 8 GHz: merged chains would pass that.
  EXPECT_GT(limits.flops, 1e8);
  EXPECT_LT(limits.flops, 512e9);
}

BenchReport runTiny(BenchOptions options) {
  options.measure = {.minRounds = 6, .maxRounds = 6, .seconds = 0};
  BenchReport report;
  runBench(report, options, {});
  return report;
}

TEST(Bench, RowsHoldWhatTheyClaim) {
  BenchOptions options;
  options.grid = tinyGrid();
  options.grid.threads = {1};
  options.grid.types = {ElementType::F32};
  for (const char* name : {"cpu:direct", "opencv:filter2D", "opencv:sepFilter2D"})
    options.engines.push_back(findEngine(name));
  options.baseline = "opencv:filter2D";
  options.limits = [](int threads) { return MachineLimits{threads, "made", 1e9, 1e8, 1e8}; };
  const BenchReport report = runTiny(options);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.limits.size(), 1u);
  ASSERT_EQ(report.rows.size(), cellsOf(options.grid).size() * 3);
  const bool opencv = findEngine("opencv:filter2D")->available().supported;
  for (const BenchRow& row : report.rows) {
    const ConvolutionProblem& p = row.problem;
    EXPECT_EQ(row.flops, 2.0 * p.filterCount * p.filterWidth * p.filterHeight * p.width * p.height);
    const int planes = p.combine == Combine::None ? p.filterCount : 1;
    const double bytes = 4.0 * planes * p.width * p.height;
    EXPECT_DOUBLE_EQ(row.floor.seconds, std::max(row.flops / 1e9, bytes / 1e8));
    const bool refused =
        !opencv ? row.engine != "cpu:direct" : row.engine == "opencv:sepFilter2D" && row.bank == "dense";
    EXPECT_EQ(row.disposition, refused ? Disposition::Unsupported : Disposition::Passed)
        << row.engine << ": " << row.reason;
    EXPECT_EQ(row.timed(), !refused);
    EXPECT_DOUBLE_EQ(row.fmaFraction, refused ? 0 : row.flops / 1e9 / row.time().median);
    EXPECT_DOUBLE_EQ(row.storeFraction, refused ? 0 : bytes / 1e8 / row.time().median);
    EXPECT_EQ(row.reason.empty(), !refused);
    EXPECT_EQ(row.toBaseline.has_value(), opencv && !refused && row.engine != "opencv:filter2D");
    EXPECT_EQ(row.rounds, refused ? 0 : 6);
  }
}

TEST(Bench, AnEngineThatFailsItsTrialHasNoSpeedButASentence) {
  BenchOptions options;
  options.grid = tinyGrid();
  options.grid.sizes = {24};
  options.grid.threads = {1};
  options.grid.banks = {BankKind::Dense};
  options.engines = {findEngine("cpu:direct"), findEngine("reference")};
  options.trial = [](const BenchCell&, const Engine& engine) {
    return engine.name() == "reference" ? std::string("timed out after 60 s") : std::string();
  };
  for (const BenchRow& row : runTiny(options).rows) {
    EXPECT_EQ(row.disposition, row.engine == "reference" ? Disposition::Failed : Disposition::Passed);
    EXPECT_EQ(row.reason, row.engine == "reference" ? "timed out after 60 s" : "");
    EXPECT_EQ(row.timed(), row.engine != "reference");
  }
}

TEST(Bench, StoppedKeepsTheCellsThatAreComplete) {
  BenchOptions options;
  options.grid = tinyGrid();
  options.engines = {findEngine("cpu:direct")};
  options.measure = {.minRounds = 6, .maxRounds = 6, .seconds = 0};
  std::stop_source stop;
  int cells = 0;
  options.limits = [](int threads) { return MachineLimits{threads, "made", 1e9, 1e8, 1e8}; };
  options.progress = [&](double, const std::string& what) {
    if (what.find("limits") != std::string::npos && ++cells == 4) stop.request_stop();
  };
  BenchReport report;
  EXPECT_THROW(runBench(report, options, stop.get_token()), Cancelled);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.rows.size(), 3u);
}

TEST(BenchReport, JsonReadsBackAndCsvHasTheSameColumns) {
  BenchOptions options;
  options.grid = tinyGrid();
  options.grid.sizes = {24};
  options.grid.threads = {1};
  options.engines = {findEngine("cpu:direct"), findEngine("opencv:filter2D")};
  BenchReport report = runTiny(options);
  report.environment = {{"processor", "a \"quoted\" name"}};
  const std::string json = toJson(report);
  const auto rows = readBenchReport(json, "file.json", ReportKind::Bench).rows;
  ASSERT_EQ(rows.size(), report.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BenchRow& before = report.rows[i];
    EXPECT_EQ(rows[i].problem, before.problem);
    EXPECT_EQ(rows[i].bank, before.bank);
    EXPECT_EQ(rows[i].threads, before.threads);
    EXPECT_EQ(rows[i].engine, before.engine);
    EXPECT_EQ(rows[i].disposition, before.disposition);
    ASSERT_EQ(rows[i].timed(), before.timed());
    if (before.timed()) {
      EXPECT_NEAR(rows[i].time().median / before.time().median, 1, 1e-9);
      EXPECT_NEAR(rows[i].flops / before.flops, 1, 1e-9);
    }
    ASSERT_EQ(rows[i].toBaseline.has_value(), before.toBaseline.has_value());
    if (before.toBaseline) {
      EXPECT_EQ(rows[i].toBaseline->verdict, before.toBaseline->verdict);
    }
    EXPECT_EQ(rows[i].source, "file.json");
  }
  const auto parsed = nlohmann::ordered_json::parse(json);
  std::string header;
  for (const auto& [key, value] : parsed["rows"][0].items()) header += key + ",";
  const std::string csv = toCsv(report);
  EXPECT_EQ(csv.substr(0, csv.find('\n')), header + "environment");
}

TEST(BenchReport, RefusesWhatIsNoBenchmark) {
  for (
      const char* text :
      {"{", R"({"bankside": "comparison"})",
       R"({"bankside": "bench", "schema_version": 99, "environment": {}, "limits": [], "rows": []})",
       R"({"bankside": "bench", "schema_version": 2, "environment": {}, "limits": [], "rows": [{"size": 3}]})"})
    EXPECT_THROW(readBenchReport(text, "a", ReportKind::Bench), Error) << text;
}

/// Two stages side by side: what every row says of what was run, how it was judged and against whom.
TEST(Comparison, RowsSayWhatWasRunAndHowItWasJudged) {
  const Image image = randomImage(1, 40, 50, ElementType::F32);
  ImageSource source(image);
  Pipeline pipeline;
  pipeline.stages.push_back({randomBank(3, 1, 3, 3, 1), Combine::None, Activation::Abs});
  pipeline.stages.push_back({randomBank(2, 3, 3, 3, 2)});
  const std::vector<Contender> contenders = {
      {findEngine("reference"), 1}, {findEngine("cpu:direct"), 1}, {findEngine("cpu:direct"), 2}};
  ComparisonOptions options;
  options.measure = {.minRounds = 6, .maxRounds = 6, .seconds = 0};
  options.baseline = "reference";
  std::vector<std::string> said;
  options.progress = [&](const std::string& what) { said.push_back(what); };
  const auto run = [&](int verifyRows, bool verify) {
    options.run.verifyRows = verifyRows;
    options.run.verifyReference = verify;
    BenchReport report;
    compareEngines(report, pipeline, source, contenders, options, {});
    return report;
  };
  const BenchReport report = run(12, true);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.baseline, "reference");
  EXPECT_EQ(said, (std::vector<std::string>{
                      "verifying reference, 1 thread(s)", "verifying cpu:direct, 1 thread(s)",
                      "verifying cpu:direct, 2 thread(s)", "measuring 3 contenders in turn"}));
  ASSERT_EQ(report.problems.size(), 2u);
  EXPECT_EQ(format(report.problems[0]), "c1h40w50-f3k3-reflect101-f32:f32-none");
  EXPECT_EQ(report.problems[1].channels, 3);
  EXPECT_EQ(report.problems[1].filterCount, 2);
  ASSERT_EQ(report.rows.size(), 3u);
  for (const BenchRow& row : report.rows) {
    EXPECT_EQ(row.disposition, Disposition::Passed) << row.reason;
    EXPECT_EQ(row.verifiedRows, 12);
    EXPECT_EQ(row.verification->checked, 12 * 50 * 2) << "the first stage is judged through the second";
    EXPECT_EQ(row.maxAbsError, row.verification->maxAbsError);
    EXPECT_DOUBLE_EQ(row.megapixelFilters, 40 * 50 * 5 / 1e6);
    EXPECT_EQ(row.problem, report.problems[0]);
    EXPECT_TRUE(row.directSums);
    EXPECT_EQ(row.rounds, 6);
    EXPECT_EQ(row.times.size(), 5u);
    EXPECT_GE(row.time().median, row.time(Phase::Compute).median);
    EXPECT_GT(row.time(Phase::Compute).median, 0);
    EXPECT_FALSE(row.description.empty());
    EXPECT_EQ(row.baseline, row.engine == "reference");
  }
  EXPECT_EQ(report.rows[0].plans.size(), 1u) << "equal ones once";
  EXPECT_FALSE(report.rows[0].toBaseline);
  EXPECT_TRUE(report.rows[1].toBaseline);
  EXPECT_FALSE(report.rows[2].toBaseline) << "the baseline ran on one thread alone";

  EXPECT_EQ(run(40, true).rows[0].verifiedRows, 0) << "all of them are no sample";
  const BenchReport unjudged = run(12, false);
  EXPECT_EQ(unjudged.rows[0].disposition, Disposition::NotVerified);
  EXPECT_EQ(unjudged.rows[0].verifiedRows, 0);
  EXPECT_FALSE(unjudged.rows[0].verification);
  EXPECT_TRUE(unjudged.rows[0].timed());
}

}  // namespace
}  // namespace bankside
