#include "core/bench/bench.h"

#include <algorithm>
#include <iterator>
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

MachineLimits limitsFor(BenchReport& report, const BenchOptions& options, int threads) {
  if (const MachineLimits* known = findLimits(report.limits, threads)) return *known;
  if (!options.limits) return {};
  report.limits.push_back(options.limits(threads));
  return report.limits.back();
}

/// What the comparison does not know of a row: the cell's bank, and what the limits leave for it.
void describe(BenchRow& row, const BenchCell& cell, const FilterBank& bank, const MachineLimits& limits) {
  row.problem = problemOf(cell, bank);
  row.values = cell.values;
  row.bank = cell.bank == BankKind::Named ? bank.info().name : toString(cell.bank);
  row.flops = nonZeroFlops(row.problem, bank);
  const double bytes = resultBytes(row.problem);
  row.floor = floorOf(bytes, limits.storeBytes, row.flops, limits);
  if (limits.flops > 0) row.fmaFraction = row.rateOf(row.flops / limits.flops);
  if (limits.storeBytes > 0) row.storeFraction = row.rateOf(bytes / limits.storeBytes);
}

/// The rows of one cell.
std::vector<BenchRow> runCell(const BenchCell& cell, const Image& image, const MachineLimits& limits,
                              const BenchOptions& options, const std::function<void(const std::string&)>& say,
                              std::stop_token stop) {
  const FilterBank bank = bankOf(cell, options.grid);
  std::vector<Contender> contenders;
  std::vector<BenchRow> keptOut;
  for (const Engine* engine : options.engines) {
    if (options.takesPart && !options.takesPart(cell, *engine)) continue;
    if (options.trial) {
      if (std::string sentence = options.trial(cell, *engine); !sentence.empty()) {
        BenchRow row;
        row.engine = engine->name();
        row.device = engine->device();
        row.threads = cell.threads;
        row.disposition = Disposition::Failed;
        row.reason = std::move(sentence);
        keptOut.push_back(std::move(row));
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
  BenchReport compared;
  ImageSource source(image);
  compareEngines(compared, {bank, cell.combine}, source, contenders, comparison, std::move(stop));
  std::vector<BenchRow> rows = std::move(compared.rows);
  std::move(keptOut.begin(), keptOut.end(), std::back_inserter(rows));
  for (BenchRow& row : rows) {
    describe(row, cell, bank, limits);
    if (options.command) row.command = options.command(cell, row.engine);
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
  std::string values;
  for (const BenchCell& cell : cells) {
    const auto say = [&](const std::string& what) {
      if (options.progress) options.progress(done / all, nameOf(cell) + ": " + what);
    };
    say("limits");
    const MachineLimits limits = limitsFor(report, options, cell.threads);
    if (image.empty() || image.width() != cell.size || image.type() != cell.type || values != cell.values)
      image = imageOfValues(cell.values, cell.size, cell.size, cell.type);
    values = cell.values;
    std::vector<BenchRow> rows = runCell(cell, image, limits, options, say, stop);
    std::move(rows.begin(), rows.end(), std::back_inserter(report.rows));
    if (options.cellDone) options.cellDone();
    done += weightOf(cell, options.measure.seconds);
  }
  report.complete = true;
}

}  // namespace bankside
