/// The plans of the last filters that a program used.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "library/preload/filter_call.h"

namespace bankside::preload {

struct FreePlan {
  void operator()(bk_plan* plan) const { bk_plan_free(plan); }
};

class PlanCache {
 public:
  /// The plan of a call; null where none can be made, which is remembered too. Calls of one filter on one
  /// shape share a plan, from any thread.
  std::shared_ptr<bk_plan> find(const FilterCall& call, int threads);

  /// Of one who has been forked: forgets what belongs to the parent's threads, and takes no lock.
  void abandon();

 private:
  /// All that a plan depends on.
  struct Key {
    int srcType, dstType, width, height, kernelWidth, kernelHeight, anchorX, anchorY, border, threads;
    std::vector<float> taps;
    bool operator==(const Key&) const = default;
  };
  struct Entry {
    Key key;
    std::shared_ptr<bk_plan> plan;
  };
  static Key keyOf(const FilterCall& call, int threads);
  static std::shared_ptr<bk_plan> make(const Key& key, const FilterCall& call);

  struct Held {
    std::mutex mutex;
    std::list<Entry> entries;  ///< the last used first
  };
  std::unique_ptr<Held> held_ = std::make_unique<Held>();
};

}  // namespace bankside::preload
