/// A bank over images of one shape: what bk_plan is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/bank_pass.h"
#include "core/spares.h"
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
};

class PreparedPlan {
 public:
  /// Throws Error{BadInput}, Error{Unsupported}.
  PreparedPlan(const FilterBank& bank, const PlanRequest& request);

  /// Of the results; indices of an ArgMax apart.
  const std::vector<PlaneName>& planes() const { return planes_; }
  bool hasIndices() const { return request_.combine == Combine::ArgMax; }

  std::string engineNames() const;
  std::string choice() const;

  /// Thread-safe. Throws Error{BadInput} for views that do not fit, Cancelled.
  void execute(const bk_view& image, const bk_view& results, const bk_view* indices,
               const std::stop_token& stop) const;

 private:
  /// Responses of a band of rows, where no engine fuses the combine.
  struct Buffers {
    std::vector<Image> planes;
  };

  bool combinesAfterwards() const { return pass_.hidden(request_.channels) > 0; }
  void checkViews(const bk_view& image, const bk_view& results, const bk_view* indices) const;
  void run(Source& source, const ResultViews& views, const std::stop_token& stop) const;
  void runAndCombine(Source& source, const ResultViews& views, const Region& rows,
                     const std::stop_token& stop) const;
  std::unique_ptr<Buffers> takeBuffers() const;
  void warmUp();

  PlanRequest request_;
  BankPass pass_;
  std::vector<BankPass::Step> steps_;
  std::vector<PlaneName> planes_;
  std::vector<int> given_;  ///< 0, 1, 2 ...: planes of the results, each value with its index
  int bandRows_ = 0;
  mutable Spares<Buffers> buffers_;
};

}  // namespace bankside::library
