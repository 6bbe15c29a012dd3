/// What a run did: the record behind reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/bank_pass.h"
#include "core/judge/verification.h"

namespace bankside {

/// What reports call the host, as the engines that compute there do.
inline constexpr const char* hostDevice = "CPU";

/// What one problem of the run did.
struct StepReport {
  int stage = 1;  ///< from 1
  ConvolutionProblem problem;
  std::string engine;
  std::string device;  ///< "CPU", or the accelerator that computed it
  PlanInfo plan;
  NumericTraits traits;
  PhaseTimes times;  ///< summed over bands
  std::optional<Verification>
      reference;                         ///< against the exact responses, of the whole chain; last stage only
  std::optional<Verification> baseline;  ///< against the baseline engine's result, of the whole chain
  std::string baselineReason;            ///< why there is none, or the path that it took
};

/// What an operation or a combine of a program of maps cost.
struct OperationReport {
  int stage = 1;       ///< from 1
  std::string does;    ///< "log(plus 0.05)", "mean:scale"
  std::string device;  ///< "CPU", or that on which it found and left its maps
  double seconds = 0;
};

struct BankRun {
  std::vector<StepReport> steps;                ///< in the order of their stages
  double combineSeconds = 0;                    ///< combines that no engine fused, on the host
  double activationSeconds = 0;                 ///< between the stages
  std::vector<OperationReport> operationSteps;  ///< of a program of maps: all that is no bank
  PhaseTimes mapCopies;                         ///< of its maps to a device and back, between steps
  double judgeSeconds = 0;                      ///< verifications, and the baseline's run
  std::string mapsInstead;                 ///< why they lie in host memory and not on a device, if one failed
  std::optional<Verification> operations;  ///< their judge's word, and of combines, each over what it took
  int bands = 1;
  bool flat = false;           ///< a recipe's image has no contrast in its field of view, but for rounding
  double pixelsPerDegree = 0;  ///< that a recipe of steps was told; 0: none
  double fieldDegrees = 0;     ///< how wide the field of view is by them; 0: no field was looked for
  bool verified = false;       ///< every step of the last stage was judged against the reference
  bool passed = true;          ///< and nothing was found wrong

  double operationSeconds() const;
  /// Whether a device computed some of it.
  bool hasDevice() const;
  /// Of the steps that devices computed, and their operations in `compute`.
  PhaseTimes deviceTimes() const;
  /// Of all other steps, with what is no step in `compute`.
  PhaseTimes hostTimes() const;
  /// Of both.
  PhaseTimes times() const;

  /// What a person should know of maps that may not be what they look like, a sentence each.
  std::vector<std::string> remarks() const;
};

/// Of a step that has not run yet.
StepReport reportOf(const BankPass::Step& step, int stage);

/// Who computes the step: another engine than at first where that one failed on the way.
void noteEngine(StepReport& report, const BankPass::Step& step);

}  // namespace bankside
