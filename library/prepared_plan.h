/// A bank over images of one shape: what bk_plan is, wherever the pixels lie.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/bank_pass.h"
#include "library/caller_memory.h"
#include "library/view.h"

namespace bankside::library {

/// What is asked for, checked.
struct PlanRequest {
  int channels = 1;
  int height = 1;
  int width = 1;
  ElementType type = ElementType::F32;
  ElementType resultType = ElementType::F32;
  Border border;
  Combine combine = Combine::None;
  PlanOptions options;
  std::string engine = "auto";
  std::string device = "cpu";
  bool anyStrides = false;               ///< of a plan for a device
  std::shared_ptr<CallerMemory> memory;  ///< that has all of a plan on the host; null: ordinary memory
};

/// How one execution goes.
struct Execution {
  const std::stop_source* stop = nullptr;  ///< on the host
  void* stream = nullptr;                  ///< on a device
};

class PreparedPlan {
 public:
  virtual ~PreparedPlan() = default;

  /// Of the results; indices of an ArgMax apart.
  const std::vector<PlaneName>& planes() const { return planes_; }
  bool hasIndices() const { return request_.combine == Combine::ArgMax; }
  const std::string& device() const { return request_.device; }

  std::string engineNames() const;
  std::string choice() const;

  /// Thread-safe. Throws Error{BadInput} for views that do not fit, Cancelled.
  virtual void execute(const bk_view& image, const bk_view& results, const bk_view* indices,
                       const Execution& how) const = 0;

 protected:
  PreparedPlan(const PlanRequest& request, const FilterBank& bank);
  const PlanRequest& request() const { return request_; }
  void checkViews(const bk_view& image, const bk_view& results, const bk_view* indices) const;

  /// One of the engines' plans.
  struct Part {
    std::string engine;
    PlanInfo info;
  };
  virtual std::vector<Part> parts() const = 0;

 private:
  PlanRequest request_;
  std::vector<PlaneName> planes_;
};

}  // namespace bankside::library
