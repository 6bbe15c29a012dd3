#include "tests/gui/window/odd_engines.h"

#include <chrono>
#include <thread>

#include "kernels/reference/reference_engine.h"

namespace bankside::testing {
namespace {

const Engine& reference() {
  static const auto engine = makeReferenceEngine();
  return *engine;
}

class WaitingPlan final : public Plan {
 public:
  WaitingPlan(const WaitingEngine& engine, std::unique_ptr<Plan> inner)
      : engine_(engine), inner_(std::move(inner)) {}
  PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
    ++engine_.started;
    while (!engine_.finish) {
      if (stop.stop_requested()) {
        ++engine_.stopped;
        throw Cancelled();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return inner_->run(source, sink, region, stop);
  }
  PlanInfo info() const override { return {.shape = "waiting"}; }
  NumericTraits traits() const override { return inner_->traits(); }

 private:
  const WaitingEngine& engine_;
  std::unique_ptr<Plan> inner_;
};

}  // namespace

std::unique_ptr<Plan> WaitingEngine::prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                             const PlanOptions& options) const {
  return std::make_unique<WaitingPlan>(*this, reference().prepare(problem, bank, options));
}

WrongEngine::WrongEngine() : OffEngine(reference(), "wrong", 3, 2) {}

std::unique_ptr<Plan> RefusingEngine::prepare(const ConvolutionProblem& problem, const FilterBank&,
                                              const PlanOptions&) const {
  requireSupport(*this, problem);
  return nullptr;
}

}  // namespace bankside::testing
