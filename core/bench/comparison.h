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
  Border border;
  std::optional<FilterMode> mode;
  Combine combine = Combine::None;
  std::optional<FirstStage> first = {};   ///< a bank before `bank`, run by the same contender
  Precision precision = Precision::Fp32;  ///< what planners may choose from
  MeasureOptions measure;
  bool verify = true;
  int verifyRows = 0;  ///< judge a sample of that many rows (`sampleRows`); 0: all
  std::string baseline = "opencv:filter2D";
  /// Called before each stage: "verifying cpu:direct, 2 threads", "round 3".
  std::function<void(const std::string&)> progress;
};

/// Runs `bank` over the source (kept in memory) with every contender. A contender that refuses, fails or is
/// wrong stays in the report with its sentence and no speed. The combine is fused where an engine can;
/// without one every response is produced. `report` gets its rows and problems; its other fields are the
/// caller's. Throws Cancelled.
void compareEngines(BenchReport& report, const FilterBank& bank, Source& source,
                    const std::vector<Contender>& contenders, const ComparisonOptions& options,
                    std::stop_token stop);

}  // namespace bankside
