/// A plan over device memory, in the caller's streams.
#pragma once

#include "kernels/cuda/runtime/device_pass.h"
#include "library/prepared_plan.h"

namespace bankside::library {

class PlanOnDevice final : public PreparedPlan {
 public:
  /// Throws Error{BadInput}, Error{Unsupported}, Error{Device}, Error{Limit}.
  PlanOnDevice(const FilterBank& bank, const PlanRequest& request);

  /// Starts all work on the stream and comes back.
  void execute(const bk_view& image, const bk_view& results, const bk_view* indices,
               const Execution& how) const override;

 private:
  /// Filters of one size that follow each other in the bank.
  struct Run {
    std::string engine;
    std::unique_ptr<DevicePlan> plan;
    int first = 0;  ///< of the bank's filters
  };
  std::vector<Part> parts() const override;

  int responses_ = 1;  ///< planes of a response group
  std::vector<Run> runs_;
};

}  // namespace bankside::library
