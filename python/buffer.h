/// Buffers of Python's objects, taken and given back by threads at once. Memory views and array.array count
/// who has their buffer, and until CPython 3.14 not as threads without a GIL would have to: one who is missed
/// keeps the memory for good, one too few gives it away under a filter.
#pragma once

#include <nanobind/nanobind.h>

namespace bankside_python {

/// False with Python's exception set.
inline bool takeBuffer(nanobind::handle object, Py_buffer& buffer, int flags) {
  const nanobind::ft_object_guard alone(object);
  return PyObject_GetBuffer(object.ptr(), &buffer, flags) == 0;
}

inline void giveBack(Py_buffer& buffer) {
  const nanobind::object owner = nanobind::borrow(buffer.obj);  // stays until it is unlocked
  const nanobind::ft_object_guard alone(owner);
  PyBuffer_Release(&buffer);
}

}  // namespace bankside_python
