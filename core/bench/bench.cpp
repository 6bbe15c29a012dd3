#include "core/bench/bench.h"

#include <algorithm>
#include <utility>

#include "core/made_input.h"

namespace bankside {
namespace {

/// About how long a cell takes, in any unit: arithmetic and stores of an engine, and what every cell costs.
double weightOf(const BenchCell& cell, double seconds) {
  const double work = static_cast<double>(cell.size) * cell.size * cell.filterCount;
  return seconds + 2e-10 * work * (20 + cell.filterSize * cell.filterSize);
}

std::string nameOf(const BenchCell& cell) {
  return std::to_string(cell.size) + " x " + std::to_string(cell.size) + " " + toString(cell.type) + ", K " +
         std::to_string(cell.filterSize) + ", F " + std::to_string(cell.filterCount) + ", " +
         std::to_string(cell.threads) + (cell.threads == 1 ? " thread" : " threads");
}

const MachineLimits& limitsFor(BenchReport& report, const BenchOptions& options, int threads) {
  static const MachineLimits none;
  for (const MachineLimits& l : report.limits) {
    if (l.threads == threads) return l;
  }
  if (!options.limits) return none;
  report.limits.push_back(options.limits(threads));
  return report.limits.back();
}

/// The rows of one cell.
std::vector<BenchRow> runCell(const BenchCell& cell, const Image& image, const MachineLimits& limits,
                              const BenchOptions& options, const std::function<void(const std::string&)>& say,
                              std::stop_token stop) {
  const FilterBank bank = bankOf(cell, options.grid);
  std::vector<Contender> contenders;
  std::vector<EngineRun> keptOut;
  for (const Engine* engine : options.engines) {
    if (options.takesPart && !options.takesPart(cell, *engine)) continue;
    if (options.trial) {
      if (std::string sentence = options.trial(cell, *engine); !sentence.empty()) {
        EngineRun run;
        run.engine = engine->name();
        run.device = engine->device();
        run.threads = cell.threads;
        run.disposition = Disposition::Failed;
        run.reason = std::move(sentence);
        keptOut.push_back(std::move(run));
        continue;
      }
    }
    contenders.push_back({engine, cell.threads});
  }
  ComparisonOptions comparison;
  comparison.run.plan.precision = options.precision;
  comparison.measure = options.measure;
  comparison.run.verifyReference = options.verify;
  comparison.run.verifyRows = rowsToVerify(problemOf(cell, bank), options.verifyTaps);
  comparison.baseline = options.baseline;
  comparison.progress = say;
  ComparisonReport compared;
  ImageSource source(image);
  compareEngines(compared, {bank, cell.combine}, source, contenders, comparison, std::move(stop));
  compared.runs.insert(compared.runs.end(), std::make_move_iterator(keptOut.begin()),
                       std::make_move_iterator(keptOut.end()));

  std::vector<BenchRow> rows;
  for (EngineRun& run : compared.runs) {
    if (options.command) run.command = options.command(cell, run.engine);
    rows.push_back(makeBenchRow(cell, bank, run, limits));
  }
  return rows;
}

}  // namespace

void runBench(BenchReport& report, const BenchOptions& options, std::stop_token stop) {
  const std::vector<BenchCell> cells = cellsOf(options.grid);
  report.baseline = options.baseline;
  report.precision = options.precision;
  report.complete = false;
  double all = 0;
  for (const BenchCell& cell : cells) all += weightOf(cell, options.measure.seconds);
  double done = 0;
  Image image;
  for (const BenchCell& cell : cells) {
    const auto say = [&](const std::string& what) {
      if (options.progress) options.progress(done / all, nameOf(cell) + ": " + what);
    };
    say("limits");
    const MachineLimits limits = limitsFor(report, options, cell.threads);
    if (image.empty() || image.width() != cell.size || image.type() != cell.type)
      image = randomImage(1, cell.size, cell.size, cell.type, 1);
    std::vector<BenchRow> rows = runCell(cell, image, limits, options, say, stop);
    std::move(rows.begin(), rows.end(), std::back_inserter(report.rows));
    if (options.cellDone) options.cellDone();
    done += weightOf(cell, options.measure.seconds);
  }
  report.complete = true;
}

}  // namespace bankside
