/// An engine that is wrong on purpose.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "core/engine.h"

namespace bankside::testing {

/// What `inner` computes, but for pixel (x, y) of the first plane, which is off `by` so much. Of no pixel
/// where y is negative.
class OffEngine : public Engine {
 public:
  OffEngine(const Engine& inner, std::string name, int x, int y, float by = 1)
      : inner_(inner), name_(std::move(name)), x_(x), y_(y), by_(by) {}
  std::string name() const override { return name_; }
  std::string device() const override { return "CPU"; }
  std::string description() const override { return "off in one place"; }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& p, const FilterBank& bank,
                                const PlanOptions& o) const override {
    return std::make_unique<OffPlan>(*this, inner_.prepare(p, bank, o));
  }

  std::function<void()> ran = {};  ///< is called when a plan has

 private:
  class OffPlan final : public Plan {
   public:
    OffPlan(const OffEngine& engine, std::unique_ptr<Plan> inner)
        : engine_(engine), inner_(std::move(inner)) {}
    PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
      const PhaseTimes times = inner_->run(source, sink, region, std::move(stop));
      if (engine_.y_ >= 0) sink.resident(0)->as<float>().at(engine_.x_, engine_.y_) += engine_.by_;
      if (engine_.ran) engine_.ran();
      return times;
    }
    PlanInfo info() const override { return {.shape = engine_.name_}; }
    NumericTraits traits() const override { return inner_->traits(); }

   private:
    const OffEngine& engine_;
    std::unique_ptr<Plan> inner_;
  };

  const Engine& inner_;
  std::string name_;
  int x_;
  int y_;
  float by_;
};

}  // namespace bankside::testing
