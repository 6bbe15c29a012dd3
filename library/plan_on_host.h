/// A plan over host memory: CPU engines, and what stands around them.
#pragma once

#include "core/spares.h"
#include "library/prepared_plan.h"

namespace bankside::library {

class PlanOnHost final : public PreparedPlan {
 public:
  /// Throws Error{BadInput}, Error{Unsupported}.
  PlanOnHost(const FilterBank& bank, const PlanRequest& request);

  void execute(const bk_view& image, const bk_view& results, const bk_view* indices,
               const Execution& how) const override;

 private:
  /// Responses of a band of rows, where no engine fuses the combine.
  struct Buffers {
    std::vector<Image> planes;
  };

  bool combinesAfterwards() const { return pass_.hidden(request().channels) > 0; }
  std::vector<Part> parts() const override;
  void run(Source& source, const ResultViews& views, const std::stop_token& stop) const;
  void runAndCombine(Source& source, const ResultViews& views, const Region& rows,
                     const std::stop_token& stop) const;
  std::unique_ptr<Buffers> makeBuffers() const;
  void warmUp();

  BankPass pass_;
  std::vector<BankPass::Step> steps_;
  std::vector<int> given_;  ///< 0, 1, 2 ...: planes of the results, each value with its index
  int bandRows_ = 0;
  mutable Spares<Buffers> buffers_;
};

}  // namespace bankside::library
