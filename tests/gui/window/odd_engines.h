/// Engines that misbehave on purpose.
#pragma once

#include <atomic>

#include "core/engine.h"

namespace bankside::testing {

/// Runs until it is told to stop, or to finish; then its results are those of the reference.
class WaitingEngine final : public Engine {
 public:
  std::string name() const override { return "waiting"; }
  std::string device() const override { return "CPU"; }
  std::string description() const override { return "waits"; }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override;

  mutable std::atomic<int> started = 0;
  mutable std::atomic<int> stopped = 0;
  std::atomic<bool> finish = false;
};

/// Right but for one pixel, which it gets wrong by one.
class WrongEngine final : public Engine {
 public:
  std::string name() const override { return "wrong"; }
  std::string device() const override { return "CPU"; }
  std::string description() const override { return "adds one to a pixel"; }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override;
};

/// Refuses everything, with a sentence.
class RefusingEngine final : public Engine {
 public:
  static constexpr const char* reason = "this engine takes nothing";
  std::string name() const override { return "refusing"; }
  std::string device() const override { return "none"; }
  std::string description() const override { return "refuses"; }
  Support supports(const ConvolutionProblem&) const override { return Support::no(reason); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override;
};

}  // namespace bankside::testing
