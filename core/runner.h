/// Runs a bank over an image: groups it into problems, picks engines, keeps plans and buffers, combines,
/// verifies.
///
/// Window, headless program and comparison all run banks through here, so that they cannot differ.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/compare.h"
#include "core/engine.h"

namespace bankside {

/// Picks the engine for a problem (kernels/engines.h has the list; core does not know it). Throws Error.
using ChooseEngine = std::function<const Engine&(const ConvolutionProblem&)>;

struct RunnerOptions {
  Border border;
  std::optional<FilterMode> mode;  ///< overrides the convention that the bank is written for
  Combine combine = Combine::None;
  bool responses = true;  ///< give each filter's response as well as the combined one
  int threads = 0;
  bool verifyReference = false;
  int verifyRows = 0;  ///< judge a sample of that many rows of each band (`sampleRows`); 0: all
  const Engine* baseline = nullptr;  ///< compare with this engine's result too, where it takes the problem
  std::int64_t memoryBudget = std::int64_t{1}
                              << 30;  ///< bytes of results held at once: larger ones come in bands
};

/// One result plane. `channel` counts the planes of a per-plane run.
struct PlaneName {
  int channel = 0;
  std::string label;  ///< the filter's, or the combine's ("max"; "argmax" and "argmax-index")
  bool operator==(const PlaneName&) const = default;
};

/// What one problem of the run did.
struct StepReport {
  ConvolutionProblem problem;
  std::string engine;
  std::string device;
  std::string variant;
  PhaseTimes times;                       ///< summed over bands
  std::optional<Verification> reference;  ///< against the exact responses
  std::optional<Verification> baseline;   ///< against the baseline engine's result
  std::string baselineReason;             ///< why there is none, or the path that it took
};

struct BankRun {
  std::vector<StepReport> steps;
  double combineSeconds = 0;  ///< combines that no engine fused
  int bands = 1;
  bool verified = false;  ///< every step was judged against the reference
  bool passed = true;     ///< and nothing was found wrong

  /// Sum of all steps, combine in `compute`.
  PhaseTimes times() const;
};

class Runner {
 public:
  /// Throws Error{BadInput} if bank and options do not go together.
  Runner(FilterBank bank, RunnerOptions options, ChooseEngine choose);

  /// Planes of a run over a source of that many channels, in the order in which they are given:
  /// responses (channel-major, filters in bank order), then combined planes.
  std::vector<PlaneName> planes(int channels) const;

  /// Takes rows [firstRow, firstRow + planes[0].height()) of every plane; the images belong to the runner and
  /// are valid during the call.
  using Receive = std::function<void(int firstRow, const std::vector<Image>& planes)>;

  /// Results come in one band if they fit the memory budget, else in several, top to bottom. A band that was
  /// judged wrong is never given. Errors  what engines throw; Cancelled
  BankRun run(Source& source, const Receive& receive, std::stop_token stop = {});

  /// Trades the buffers that results are computed in with the caller's, so that runners that take turns can
  /// share one set. They are made anew where they do not fit.
  void swapBuffers(std::vector<Image>& buffers) { buffers_.swap(buffers); }

  const FilterBank& bank() const { return bank_; }

 private:
  struct Step;
  std::vector<Step> makeSteps(const Source& source);
  void runStep(Step& step, Source& source, const Region& band, StepReport& report,
               const std::stop_token& stop);
  void combineBand(int channels, int rows);

  FilterBank bank_;
  std::vector<UniformGroup> groups_;
  RunnerOptions options_;
  ChooseEngine choose_;
  bool fused_ = false;
  std::map<std::string, std::shared_ptr<Plan>> plans_;  // by engine and problem
  std::vector<Image> buffers_;  // one a plane, reused from band to band and run to run
};

}  // namespace bankside
