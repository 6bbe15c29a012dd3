/// Calls of filter2D answered by libbankside: plans, threads, forks and what is not finite.
#pragma once

#include <memory>

#include "library/preload/plan_cache.h"

namespace bankside::preload {

class OurAnswer {
 public:
  /// Lives as long as the process: filters run in destructors of programs too.
  static OurAnswer& only();

  /// Null where none can be made.
  std::shared_ptr<bk_plan> plan(const FilterCall& call) { return plans_.find(call, threads()); }

  /// False where OpenCV has to: it leaves taps of zero out, so that what is not finite under them is not
  /// seen.
  static bool give(const FilterCall& call, const bk_plan& plan);

 private:
  OurAnswer();
  /// As many as the program lets OpenCV have; 0 is all.
  int threads() const;

  int (*openCvThreads_)();
  bool forked_ = false;
  PlanCache plans_;
};

}  // namespace bankside::preload
