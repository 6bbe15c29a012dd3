/// What stands in the list for an engine that a build lacks, so that lists and refusals are the same in every
/// build.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/engine.h"

namespace bankside {

/// Refuses every problem with `reason`.
class AbsentEngine final : public Engine {
 public:
  AbsentEngine(std::string name, std::string device, std::string reason, EngineKind kind = {})
      : name_(std::move(name)), device_(std::move(device)), reason_(std::move(reason)), kind_(kind) {}
  std::string name() const override { return name_; }
  EngineKind kind() const override { return kind_; }
  std::string device() const override { return device_; }
  std::string description() const override { return "not built in"; }
  Support available() const override { return Support::no(reason_); }
  Support supports(const ConvolutionProblem&) const override { return available(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank&,
                                const PlanOptions&) const override {
    requireSupport(*this, problem);
    return nullptr;  // never reached: every problem is refused
  }

 private:
  std::string name_, device_, reason_;
  EngineKind kind_;
};

}  // namespace bankside
