/// The record of a side-by-side: what ran, how long it took, whether it was right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/bench/measure.h"
#include "core/engine.h"
#include "core/environment.h"
#include "core/judge/compare.h"
#include "core/precision.h"
#include "core/problem.h"

namespace bankside {

/// Passed: right and timed. Incorrect: wrong, shows no speed. Unsupported: the engine refused, with its
/// sentence. Skipped: not asked to run. Failed: an error ended it. NotVerified: timed without being judged.
enum class Disposition { Passed, Incorrect, Unsupported, Skipped, Failed, NotVerified };
const char* toString(Disposition disposition);

/// One engine at one thread count in a comparison. Times in seconds.
struct EngineRun {
  std::string engine;
  std::string device;
  std::string description;
  std::vector<PlanInfo> plans;  ///< of its problems, equal ones once
  bool directSums = true;       ///< all of them, see NumericTraits
  int threads = 1;
  Disposition disposition = Disposition::Skipped;
  std::string reason;                    ///< the sentence behind a disposition that is not Passed
  double prepareSeconds = 0;             ///< once, before the first run
  std::vector<double> computeSamples;    ///< without transfers
  std::vector<double> endToEndSamples;   ///< from pixels in host memory to results in host memory
  std::vector<double> uploadSamples;     ///< to the device, or from streams that are not in memory
  std::vector<double> combineSamples;    ///< part of compute: combines that the engine could not fuse
  std::vector<double> downloadSamples;   ///< back from the device
  std::optional<SpeedRatio> toBaseline;  ///< end to end, against the baseline at the same thread count
  std::optional<Verification> verification;
  int verifiedRows = 0;  ///< judged on a sample of that many rows; 0: on all, or not judged
  std::string command;   ///< repeats this row

  bool timed() const { return !computeSamples.empty(); }
};

struct ComparisonReport {
  static constexpr int schemaVersion = 1;
  Environment environment;
  std::string input;
  std::string inputNote;
  std::string bank;  ///< "A, relu, then B" where there are several
  std::string bankTitle;
  std::uint64_t bankHash = 0;
  std::vector<ConvolutionProblem> problems;  ///< one a filter size, in the order of the stages
  std::string baseline;                      ///< the engine that ratios are against
  Precision precision = Precision::Fp32;     ///< what planners chose from
  std::vector<EngineRun> runs;

  double megapixelFilters() const;  ///< output pixels x filters / 1e6, over all problems
};

}  // namespace bankside
