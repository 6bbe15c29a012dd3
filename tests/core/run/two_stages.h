/// What the tests of two-stage runs share.
#pragma once

#include <string>
#include <vector>

#include "core/run/gathered_planes.h"
#include "core/run/runner.h"
#include "kernels/engines.h"

namespace bankside::testing {

inline ChooseEngine named(const std::string& name) {
  return [name](const ConvolutionProblem& p) -> const Engine& { return selectEngine(name, p); };
}

/// All bands of a run in one piece.
inline std::vector<Image> collect(Runner& runner, Source& source, BankRun* run = nullptr) {
  GatheredPlanes gathered(source.height());
  const BankRun result =
      runner.run(source, [&](int firstRow, const std::vector<Image>& band) { gathered.add(firstRow, band); });
  if (run != nullptr) *run = result;
  return std::move(gathered.images());
}

inline std::vector<Image> collect(Runner& runner, const Image& image, BankRun* run = nullptr) {
  ImageSource source(image);
  return collect(runner, source, run);
}

/// `activation` is what `second` sees of the first one's maps.
inline Pipeline twoStages(FilterBank first, Activation activation, FilterBank second) {
  Pipeline pipeline;
  pipeline.stages.push_back({std::move(first), Combine::None, activation});
  pipeline.stages.push_back({std::move(second)});
  return pipeline;
}

/// `cpu:direct`, off by one grey level at one pixel of its first plane.
class OffEngine final : public Engine {
 public:
  std::string name() const override { return "off"; }
  std::string device() const override { return "CPU"; }
  std::string description() const override { return "off by one in one place"; }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& p, const FilterBank& bank,
                                const PlanOptions& o) const override {
    return std::make_unique<OffPlan>(findEngine("cpu:direct")->prepare(p, bank, o));
  }

 private:
  class OffPlan final : public Plan {
   public:
    explicit OffPlan(std::unique_ptr<Plan> inner) : inner_(std::move(inner)) {}
    PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
      const PhaseTimes times = inner_->run(source, sink, region, stop);
      sink.resident(0)->as<float>().at(20, 11) += 1.0f;
      return times;
    }
    PlanInfo info() const override { return {.shape = "off"}; }
    NumericTraits traits() const override { return inner_->traits(); }

   private:
    std::unique_ptr<Plan> inner_;
  };
};

}  // namespace bankside::testing
