#include "kernels/planner/planner_engine.h"

#include <cstdio>
#include <mutex>

#include "kernels/fft/fft_engine.h"
#include "kernels/highway/direct_engine.h"
#include "kernels/highway/karatsuba_engine.h"
#include "kernels/highway/row_kernels.h"
#include "kernels/highway/separable_engine.h"
#include "kernels/planner/machine_scale.h"
#include "kernels/planner/path_choice.h"

namespace bankside {
namespace {

using namespace planner;

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g ms", seconds * 1e3);
  return text;
}

class PlannedPlan final : public Plan {
 public:
  PlannedPlan(std::unique_ptr<Plan> plan, const PathChoice& choice, Precision precision)
      : plan_(std::move(plan)), choice_(choice), precision_(precision) {}

  PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
    return plan_->run(source, sink, region, std::move(stop));
  }
  NumericTraits traits() const override { return plan_->traits(); }
  /// Made once: a run reports it, and the text takes as long as the smallest images.
  PlanInfo info() const override {
    std::call_once(told_, [this] { info_ = {engineName(choice_.path), plan_->info().shape, reason()}; });
    return info_;
  }

 private:
  /// "predicted 21 ms on one thread (direct 190 ms, karatsuba 120 ms, separable out)".
  std::string reason() const {
    const double scale = machineScale();
    std::string text = "predicted " + milliseconds(choice_.seconds[static_cast<int>(choice_.path)] * scale) +
                       " on one thread (";
    const char* separator = "";
    for (const CpuPath path : allCpuPaths) {
      if (path == choice_.path) continue;
      const double seconds = choice_.seconds[static_cast<int>(path)];
      const std::string name = std::string(engineName(path)).substr(4);
      text += separator + name + " " + (seconds == 0 ? "out" : milliseconds(seconds * scale));
      separator = ", ";
    }
    text += ")";
    if (precision_ != Precision::Fp32) text += std::string(", precision ") + toString(precision_);
    return text;
  }

  std::unique_ptr<Plan> plan_;
  PathChoice choice_;
  Precision precision_;
  mutable std::once_flag told_;
  mutable PlanInfo info_;
};

class PlannerEngine final : public Engine {
 public:
  PlannerEngine()
      : paths_{makeDirectEngine(), makeKaratsubaEngine(), makeSeparableEngine(), makeFftEngine()} {}

  std::string name() const override { return "cpu"; }
  EngineKind kind() const override { return {.role = EngineKind::Role::Planner, .sharedPlans = true}; }
  std::string device() const override { return "CPU"; }
  std::string description() const override {
    return "picks cpu:direct, cpu:karatsuba, cpu:separable or cpu:fft; " + paths_[0]->description() +
           (machineKind().twoMultiplyAdds ? ", two multiply-adds a cycle" : ", one multiply-add a cycle");
  }
  Support supports(const ConvolutionProblem& problem) const override { return paths_[0]->supports(problem); }

  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    const ThreadTeam team(options.threads);
    const PathCosts costs = pathCosts(machineKind());
    const BankFacts facts =
        bankFacts(problem, correlationTaps(problem, bank), costs, options.precision, team);
    const PathChoice choice = choosePath(problem, facts, costs, options.precision);
    const auto& path = *paths_[static_cast<int>(choice.path)];
    return std::make_unique<PlannedPlan>(path.prepare(problem, bank, options), choice, options.precision);
  }

 private:
  std::unique_ptr<Engine> paths_[cpuPaths];
};

}  // namespace

std::unique_ptr<Engine> makePlannerEngine() { return std::make_unique<PlannerEngine>(); }

}  // namespace bankside
