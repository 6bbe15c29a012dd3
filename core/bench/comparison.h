/// The side-by-side: every engine verified first, then all measured in turn on the same pixels.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/bench/bench_report.h"
#include "core/run/runner.h"

namespace bankside {

/// An engine at a thread count. Refused names (no such engine) are the caller's affair.
struct Contender {
  const Engine* engine = nullptr;
  int threads = 1;
};

struct ComparisonOptions {
  RunOptions run = {.plan = {}, .verifyReference = true};  ///< threads are the contenders'; never in bands
  MeasureOptions measure;
  std::string baseline = {};  ///< the engine that ratios are against; empty: none
  /// Called before each stage: "verifying ENGINE, 2 threads", "round 3".
  std::function<void(const std::string&)> progress;
};

/// Runs the pipeline over the source (kept in memory) with every contender. A contender that refuses, fails
/// or is wrong stays in the report with its sentence and no speed. Without a combine every response is
/// produced, with one the combined maps alone. `report` gets its rows and problems; its other fields are the
/// caller's. Throws Cancelled.
void compareEngines(BenchReport& report, const Pipeline& pipeline, Source& source,
                    const std::vector<Contender>& contenders, const ComparisonOptions& options,
                    std::stop_token stop);

}  // namespace bankside
