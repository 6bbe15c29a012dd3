/// The planner against the benchmarks that are kept: what it would pick, and what that took when it was
/// measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

#include "core/bench/bench_grid.h"
#include "core/bench/bench_report.h"
#include "filters/catalog.h"
#include "kernels/planner/path_choice.h"
#include "tests/support/test_names.h"

namespace bankside::testing {
namespace {

using namespace planner;
namespace fs = std::filesystem;

using CellKey = std::tuple<BankKind, ElementType, Combine, int, int, int>;
CellKey keyOf(const BenchCell& c) { return {c.bank, c.type, c.combine, c.filterCount, c.size, c.filterSize}; }

BenchCell cellOf(const BenchRow& row) {
  const ConvolutionProblem& p = row.problem;
  const BankKind bank = row.bank == "vessel-matched" ? BankKind::Named : parseBankKind(row.bank).value();
  return {p.width, p.filterWidth, p.filterCount, p.srcType, row.threads, p.combine, bank};
}

/// One cell of one file: the median of each path that passed, in seconds.
struct Recorded {
  BenchCell cell;
  std::map<std::string, double> seconds;
};

/// The rows on so many threads.
std::vector<Recorded> recordedIn(const fs::path& file, int threads) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::map<CellKey, Recorded> cells;
  for (const BenchRow& row : readBenchReport(text, file.filename().string(), ReportKind::Bench).rows) {
    if (row.threads != threads || row.disposition != Disposition::Passed || !row.timed()) continue;
    const BenchCell cell = cellOf(row);
    Recorded& recorded = cells[keyOf(cell)];
    recorded.cell = cell;
    const double median = row.time().median;
    if (row.engine.starts_with("cpu:")) {
      recorded.seconds[row.engine] = median;
    } else if (row.engine == "cpu") {  // names the path that it took first
      const std::string variant = toString(row.plans);
      recorded.seconds.emplace(variant.substr(0, variant.find(',')), median);
    }
  }
  std::vector<Recorded> list;
  for (auto& [key, recorded] : cells) list.push_back(std::move(recorded));
  return list;
}

std::string nameOf(const BenchCell& c) {
  return std::string(toString(c.bank)) + " N " + std::to_string(c.size) + " K " +
         std::to_string(c.filterSize) + " F " + std::to_string(c.filterCount) + " " + toString(c.type) + " " +
         toString(c.combine);
}

/// Files of one kind of machine, all with AVX-512.
struct Machine {
  const char* folder;
  bool twoMultiplyAdds;
  int threads;   ///< one is what the choice is made for
  double share;  ///< of the cells in which it holds
  int atLeast;   ///< cells, or the test would say little
};
void PrintTo(const Machine& machine, std::ostream* out) {
  *out << machine.folder << " on " << machine.threads;
}

class RecordedMachine : public ::testing::TestWithParam<Machine> {};

TEST_P(RecordedMachine, TheChoiceIsWithin5PercentOfTheBestInMostCells) {
  BenchGrid grid;
  grid.named = makeBank("vessel-matched");
  int cells = 0;
  int missed = 0;
  std::string misses;
  for (const auto& entry : fs::directory_iterator(fs::path(BANKSIDE_RESULTS_DIR) / GetParam().folder)) {
    if (entry.path().extension() != ".json") continue;
    for (const auto& [cell, seconds] : recordedIn(entry.path(), GetParam().threads)) {
      if (seconds.size() < 2) continue;
      const FilterBank bank = bankOf(cell, grid);
      const ConvolutionProblem problem = problemOf(cell, bank);
      const PathCosts costs = pathCosts({16, GetParam().twoMultiplyAdds});
      const PathChoice choice =
          choosePath(problem, bankFacts(problem, correlationTaps(problem, bank), costs), costs);
      const auto picked = seconds.find(engineName(choice.path));
      if (picked == seconds.end()) continue;  // a path that there was not yet
      const auto best = std::min_element(seconds.begin(), seconds.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      ++cells;
      if (picked->second <= 1.05 * best->second) continue;
      ++missed;
      misses += entry.path().filename().string() + " " + nameOf(cell) + ": " + picked->first + " took " +
                std::to_string(picked->second / best->second) + " of " + best->first + "\n";
    }
  }
  RecordProperty("cells", cells);  // for --gtest_output
  RecordProperty("missed", missed);
  EXPECT_GE(cells, GetParam().atLeast);
  EXPECT_LE(missed, cells * (1 - GetParam().share)) << "of " << cells << " cells:\n" << misses;
}

INSTANTIATE_TEST_SUITE_P(Kept, RecordedMachine,
                         ::testing::Values(Machine{"cpu", false, 1, 0.95, 230},
                                           Machine{"cpu/xeon", true, 1, 0.95, 180},
                                           Machine{"cpu/xeon", true, 16, 0.9, 280},
                                           Machine{"cpu/zen5", true, 1, 0.95, 200}),
                         [](const auto& one) { return asTestName(::testing::PrintToString(one.param)); });

}  // namespace
}  // namespace bankside::testing
