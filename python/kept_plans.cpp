#include "python/kept_plans.h"

#include <nanobind/stl/pair.h>

#include <algorithm>

namespace nb = nanobind;

namespace bankside_python {
namespace {

constexpr std::size_t mostKept = 32;

/// Whether they are one object, or words or numbers that are equal. (Others may run code of their own when
/// they are compared.)
bool same(nb::handle a, nb::handle b) {
  if (a.is(b)) return true;
  if (PyUnicode_Check(a.ptr()) && PyUnicode_Check(b.ptr())) return PyUnicode_Compare(a.ptr(), b.ptr()) == 0;
  if (PyFloat_Check(a.ptr()) && PyFloat_Check(b.ptr()))
    return PyFloat_AS_DOUBLE(a.ptr()) == PyFloat_AS_DOUBLE(b.ptr());
  if (PyLong_CheckExact(a.ptr()) && PyLong_CheckExact(b.ptr()))
    return PyObject_RichCompareBool(a.ptr(), b.ptr(), Py_EQ) == 1;
  return false;
}

}  // namespace

nb::object KeptPlans::run(nb::handle image, nb::handle out, const FilterWords& words) {
  const HeldArray from(image, HeldArray::For::ReadingOnHost, "the image");
  if (from.onDevice) return nb::none();
  nb::object plan = find(from, words);
  if (!plan.is_valid()) plan = prepared(from, words);
  return nb::inst_ptr<PyPlan>(plan)->runHeld(from, image, out);
}

nb::object KeptPlans::find(const HeldArray& image, const FilterWords& words) {
  const nb::ft_lock_guard lock(mutex_);
  for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
    if (kept->type != image.type ||
        !std::equal(kept->shape.begin(), kept->shape.end(), image.shape, image.shape + image.axes) ||
        !std::equal(words.begin(), words.end(), kept->words.begin(), same)) {
      continue;
    }
    if (kept != kept_.begin()) kept_.splice(kept_.begin(), kept_, kept);
    return kept->plan;
  }
  return {};
}

nb::object KeptPlans::prepared(const HeldArray& image, const FilterWords& words) {
  const std::vector<std::int64_t> shape(image.shape, image.shape + image.axes);
  nb::list sizes;
  for (const std::int64_t size : shape) sizes.append(size);
  nb::list given;
  given.append(nb::tuple(sizes));
  given.append(nameOf(image.type));
  for (const nb::handle word : words) given.append(word);
  const auto [plan, keep] = nb::cast<std::pair<nb::object, bool>>(prepare_(*given));
  (void)nb::cast<PyPlan&>(plan);  // throws where it is none
  if (!keep) return plan;
  Kept kept{shape, image.type, {}, plan};
  std::transform(words.begin(), words.end(), kept.words.begin(),
                 [](nb::handle word) { return nb::borrow(word); });
  std::list<Kept> dropped;  // what is forgotten is destroyed after the lock
  const nb::ft_lock_guard lock(mutex_);
  kept_.push_front(std::move(kept));
  if (kept_.size() > mostKept) dropped.splice(dropped.end(), kept_, std::prev(kept_.end()));
  return plan;
}

int KeptPlans::visit(visitproc visitor, void* data) const {
  if (const int stop = visitor(prepare_.ptr(), data)) return stop;
  for (const Kept& kept : kept_) {
    if (const int stop = visitor(kept.plan.ptr(), data)) return stop;
    for (const nb::object& word : kept.words) {
      if (const int stop = visitor(word.ptr(), data)) return stop;
    }
  }
  return 0;
}

}  // namespace bankside_python
