#include "core/run/bank_run.h"

#include <algorithm>

#include "core/text.h"

namespace bankside {

namespace {

bool onDevice(const std::string& device) { return device != hostDevice; }

/// Of the steps and operations that devices computed, or of the others.
PhaseTimes timesOf(const BankRun& run, bool device) {
  PhaseTimes sum;
  for (const StepReport& step : run.steps)
    if (onDevice(step.device) == device) sum += step.times;
  for (const OperationReport& operation : run.operationSteps)
    if (onDevice(operation.device) == device) sum.compute += operation.seconds;
  return sum;
}

}  // namespace

double BankRun::operationSeconds() const {
  double sum = 0;
  for (const OperationReport& operation : operationSteps) sum += operation.seconds;
  return sum;
}

bool BankRun::hasDevice() const {
  const auto there = [](const auto& part) { return onDevice(part.device); };
  return std::any_of(steps.begin(), steps.end(), there) ||
         std::any_of(operationSteps.begin(), operationSteps.end(), there);
}

PhaseTimes BankRun::deviceTimes() const {
  PhaseTimes sum = timesOf(*this, true);
  sum += mapCopies;
  return sum;
}

PhaseTimes BankRun::hostTimes() const {
  PhaseTimes sum = timesOf(*this, false);
  sum.compute += combineSeconds + activationSeconds;
  return sum;
}

PhaseTimes BankRun::times() const {
  PhaseTimes sum = deviceTimes();
  sum += hostTimes();
  return sum;
}

std::vector<std::string> BankRun::remarks() const {
  // Cameras that see a disc have 20 to 60 degrees, of ultra-wide fields 200.
  constexpr double narrowest = 12;
  constexpr double widest = 220;
  std::vector<std::string> sentences;
  if (flat)
    sentences.emplace_back(
        "there is no contrast in its field of view: every pixel is the same, but for rounding");
  if (fieldDegrees > 0 && (fieldDegrees < narrowest || fieldDegrees > widest))
    sentences.push_back("its field of view would be " + formatSignificant(fieldDegrees) +
                        " degrees wide at " + formatNumber(pixelsPerDegree) +
                        " pixels per degree, which no usual camera's is; is the scale right?");
  return sentences;
}

StepReport reportOf(const BankPass::Step& step, int stage) {
  StepReport report;
  report.stage = stage;
  report.problem = step.problem;
  report.engine = step.engine->name();
  report.device = step.engine->device();
  if (step.plan != nullptr) noteEngine(report, step);
  return report;
}

void noteEngine(StepReport& report, const BankPass::Step& step) {
  const Engine* const substitute = step.plan->substitute();
  const Engine& engine = substitute != nullptr ? *substitute : *step.engine;
  report.engine = engine.name();
  const std::string device = step.plan->device();
  report.device = device.empty() ? engine.device() : device;
  report.plan = step.plan->info();
  report.traits = step.plan->traits();
}

}  // namespace bankside
