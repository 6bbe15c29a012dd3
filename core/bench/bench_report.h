/// The rows of a benchmark and their text forms. docs/user-guide.md describes the schema.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/bench/bench_grid.h"
#include "core/bench/comparison_report.h"
#include "core/bench/machine_limits.h"

namespace bankside {

/// One engine in one cell. Times in seconds; absent where the row shows no speed.
struct BenchRow {
  BenchCell cell;
  std::string bank;     ///< "dense", "separable", or the named bank's name
  std::string problem;  ///< as `bankside verify --problem` takes it
  std::string engine;
  std::string device;
  std::string variant;
  std::string disposition;  ///< as `toString(Disposition)`
  std::string reason;
  int rounds = 0;
  std::optional<Interval> endToEnd;
  std::optional<Interval> compute;
  std::optional<SpeedRatio> toBaseline;
  double flops = 0;  ///< on taps that are not zero
  double bytes = 0;  ///< of all result planes
  double floorSeconds =
      0;                  ///< what the limits leave: the longer of flops and bytes at their rates; 0: unknown
  double flopsLimit = 0;  ///< the rates the floor is of
  double storeLimit = 0;
  std::optional<double> maxAbsError;
  int verifiedRows = 0;  ///< 0: all, or not judged
  std::string source;    ///< where the row is from, if it is not of this run: a file's name
  std::string command;   ///< repeats the row

  double flopRate() const { return endToEnd ? flops / endToEnd->median : 0; }
  /// Output pixels x filters a second, in millions.
  double megapixelFilters() const;
};

struct BenchReport {
  static constexpr int schemaVersion = 1;
  Environment environment;
  std::string command;
  std::string baseline;
  Precision precision = Precision::Fp32;  ///< what planners chose from
  std::vector<MachineLimits> limits;      ///< one a thread count
  std::vector<BenchRow> rows;
  bool complete = true;  ///< false if it was stopped before its last cell
};

/// A row from what the comparison says of one engine; `limits` may be those of no machine.
BenchRow makeBenchRow(const BenchCell& cell, const FilterBank& bank, const EngineRun& run,
                      const MachineLimits& limits);

std::string toJson(const BenchReport& report);
std::string toCsv(const BenchReport& report);
std::string toMarkdown(const BenchReport& report);
/// Columns aligned with spaces, for a terminal.
std::string toTable(const BenchReport& report);

/// The rows of a file in the schema that `toJson` writes, each with `source` set to `name`; fields that are
/// not there stay empty. Throws Error{BadInput} naming what cannot be read.
std::vector<BenchRow> readBenchRows(const std::string& json, const std::string& name);

}  // namespace bankside
