/// An engine whose plans take several images at a time, as those of a GPU do.
#pragma once

#include <algorithm>
#include <deque>

#include "core/bank_pass.h"
#include "core/error.h"
#include "kernels/reference/reference_engine.h"

namespace bankside::testing {

inline const Engine& reference() {
  static const auto engine = makeReferenceEngine();
  return *engine;
}

/// The reference, whose plans take several images at a time and break at a wish: before the image of that
/// number, counted from the first that a plan is given.
class StackingEngine final : public Engine {
 public:
  explicit StackingEngine(int breaksAt = -1) : breaksAt_(breaksAt) {}
  std::string name() const override { return "stacking"; }
  std::string device() const override { return "CPU"; }
  std::string description() const override { return "several images at a time"; }
  Support supports(const ConvolutionProblem& p) const override {
    return p.width == 13 ? Support::no("13 brings bad luck") : Support::yes();
  }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& p, const FilterBank& bank,
                                const PlanOptions& o) const override {
    requireSupport(*this, p);
    return std::make_unique<StackingPlan>(*this, reference().prepare(p, bank, o));
  }
  mutable std::size_t mostUnderWay = 0;

 private:
  class StackingPlan final : public Plan {
   public:
    StackingPlan(const StackingEngine& engine, std::unique_ptr<Plan> inner)
        : engine_(engine), inner_(std::move(inner)) {}
    PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
      return inner_->run(source, sink, region, stop);
    }
    void runAll(RunQueue& queue, std::stop_token stop) override {
      std::deque<RunQueue::Item*> underWay;
      int given = 0;
      while (true) {
        RunQueue::Item* item = underWay.size() < 3 ? queue.next(underWay.empty()) : nullptr;
        if (item != nullptr) {
          if (given++ == engine_.breaksAt_) throw Error(ErrorCode::Device, "fell off");
          underWay.push_back(item);
          engine_.mostUnderWay = std::max(engine_.mostUnderWay, underWay.size());
          continue;
        }
        if (underWay.empty()) return;
        RunQueue::Item& first = *underWay.front();
        first.times = run(first.source, first.sink, first.region, stop);
        underWay.pop_front();
        queue.done(first);
      }
    }
    PlanInfo info() const override { return {.shape = "three"}; }
    NumericTraits traits() const override { return inner_->traits(); }

   private:
    const StackingEngine& engine_;
    std::unique_ptr<Plan> inner_;
  };
  int breaksAt_;
};

inline ChooseEngine always(const Engine& engine) {
  return [&engine](const ConvolutionProblem&) -> const Engine& { return engine; };
}

}  // namespace bankside::testing
