#include "core/run/bank_run.h"

namespace bankside {

PhaseTimes BankRun::times() const {
  PhaseTimes sum{.compute = combineSeconds + activationSeconds + operationSeconds};
  for (const StepReport& step : steps) sum += step.times;
  return sum;
}

StepReport reportOf(const BankPass::Step& step, int stage) {
  StepReport report;
  report.stage = stage;
  report.problem = step.problem;
  report.engine = step.engine->name();
  report.device = step.engine->device();
  report.plan = step.plan->info();
  report.traits = step.plan->traits();
  return report;
}

}  // namespace bankside
