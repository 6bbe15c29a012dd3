/// The plans of the last calls of bankside.filter.
#pragma once

#include <array>
#include <list>
#include <vector>

#include "python/plan.h"

namespace bankside_python {

/// What a call of bankside.filter says beside its arrays: the bank, then the options in its order.
inline constexpr std::size_t filterWords = 9;
using FilterWords = std::array<nanobind::handle, filterWords>;

/// Thread-safe: under the GIL, or under a lock where there is none.
class KeptPlans {
 public:
  /// Where no plan is kept, `prepare(shape, dtype, bank, *options)` gives one, and whether it may be kept:
  /// whether an equal bank will stand for the same filters.
  explicit KeptPlans(nanobind::object prepare) : prepare_(std::move(prepare)) {}

  /// None for an image on a device.
  nanobind::object run(nanobind::handle image, nanobind::handle out, const FilterWords& words);

  /// For Python's collector: a plan's class holds its module, which holds this.
  int visit(visitproc visitor, void* data) const;
  void forget() { kept_.clear(); }

 private:
  struct Kept {
    std::vector<std::int64_t> shape;
    std::int32_t type = 0;
    std::array<nanobind::object, filterWords> words;
    nanobind::object plan;
  };

  /// Null where there is none.
  nanobind::object find(const HeldArray& image, const FilterWords& words);
  nanobind::object prepared(const HeldArray& image, const FilterWords& words);

  nanobind::object prepare_;
  nanobind::ft_mutex mutex_;
  std::list<Kept> kept_;  ///< the last used one first
};

}  // namespace bankside_python
