/// What a benchmark writes, of whatever kind: one record, and its text forms, which are views of one table of
/// columns (bench_columns.cpp, report_columns.cpp). docs/user-guide.md describes the fields.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/bench/bank_width.h"
#include "core/bench/bench_row.h"
#include "core/bench/paper_claims.h"
#include "core/environment.h"
#include "core/precision.h"
#include "core/run/report_values.h"

namespace bankside {

struct BenchReport {
  static constexpr int schemaVersion = 2;
  ReportKind kind = ReportKind::Bench;
  std::string what = {};  ///< of a device: "figure7", "limits", "tune", ...
  std::string command = {};
  Environment environment = {};
  std::string baseline = {};              ///< the engine that ratios are against
  Precision precision = Precision::Fp32;  ///< what planners chose from
  bool complete = false;                  ///< every row that was asked for is there
  std::vector<MachineLimits> limits = {};
  std::vector<BenchRow> rows = {};
  std::vector<std::string> notes = {};

  // Of a comparison.
  std::string input = {};
  std::string inputNote = {};
  std::string bank = {};  ///< "A, relu, then B" where there are two
  std::string bankTitle = {};
  std::uint64_t bankHash = 0;
  std::vector<ConvolutionProblem> problems =
      {};  ///< one a filter size, the first stage's before the second's

  std::string paperPeer = {};  ///< of a device: the engine that the paper's figures are against; in no file
  std::vector<PaperClaim> claims = {};    ///< of figure 8, where they were asked for
  std::vector<BankWidthRow> widths = {};  ///< of BankWidth, in place of rows
};

ReportBeginnings beginningsOf(ReportKind kind);
std::string toJson(const BenchReport& report);
/// One line a row.
std::string toCsv(const BenchReport& report);
std::string toMarkdown(const BenchReport& report);
/// Columns aligned with spaces, for a terminal.
std::string toTable(const BenchReport& report);

/// What `toJson` wrote of a grid or a device, claims aside; rows name `name` as their source, or the one they
/// had. Errors  Error{BadInput} naming the file and what is wrong with it
BenchReport readBenchReport(const std::string& json, const std::string& name, ReportKind kind);

}  // namespace bankside
