/// The benchmark: one interleaved comparison a cell, verified before it is timed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/bench/bench_grid.h"
#include "core/bench/comparison.h"

namespace bankside {

struct BenchOptions {
  BenchGrid grid;
  std::vector<const Engine*> engines;
  Precision precision = Precision::Fp32;  ///< what planners may choose from
  MeasureOptions measure;
  bool verify = true;
  double verifyTaps = 1e9;  ///< multiply-adds the judge may spend on an engine in a cell; it samples rows
  std::string baseline = "opencv:filter2D";

  /// Asked once for each thread count, before its first cell; none: rows have no floor.
  std::function<MachineLimits(int threads)> limits;
  /// Whether an engine is in a cell at all; none: always.
  std::function<bool(const BenchCell&, const Engine&)> takesPart;
  /// Tries an engine that may hang somewhere it can be ended; the sentence that keeps it out of this process,
  /// or an empty one. None: every engine may run.
  std::function<std::string(const BenchCell&, const Engine&)> trial;
  /// The command that repeats an engine's row.
  std::function<std::string(const BenchCell&, const std::string& engine)> command;
  /// Before each step: the share of the work that is done, 0..1, and what comes next.
  std::function<void(double share, const std::string& what)> progress;
  /// After each cell, whose rows are in the report: a run of hours may end in any way.
  std::function<void()> cellDone;
};

/// Fills `report.limits` and `report.rows`, cell by cell; a row stands only once its cell is complete.
/// Errors  Cancelled, with `report.complete` false and every row so far in the report; Error{Limit} if a
///         cell's memory cannot be had
void runBench(BenchReport& report, const BenchOptions& options, std::stop_token stop);

}  // namespace bankside
