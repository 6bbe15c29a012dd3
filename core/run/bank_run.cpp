#include "core/run/bank_run.h"

namespace bankside {

double BankRun::operationSeconds() const {
  double sum = 0;
  for (const OperationReport& operation : operationSteps) sum += operation.seconds;
  return sum;
}

PhaseTimes BankRun::times() const {
  PhaseTimes sum = mapCopies;
  sum.compute += combineSeconds + activationSeconds + operationSeconds();
  for (const StepReport& step : steps) sum += step.times;
  return sum;
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
