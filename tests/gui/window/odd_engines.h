/// Engines that misbehave on purpose.
#pragma once

#include <atomic>

#include "core/engine.h"
#include "tests/support/off_engine.h"

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

/// The reference, but for one pixel, which it gets wrong by one.
class WrongEngine final : public OffEngine {
 public:
  WrongEngine();
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
