/// Names that Python gives and the library takes.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace bankside_python {

/// Of a bank, a recipe or a file, str or bytes: the bytes that the system has for it, which need be no UTF-8.
/// Throws TypeError; ValueError where a character is none of the system's, or 0.
inline std::string bytesOfName(nanobind::handle name) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(name.ptr(), &bytes) == 0) nanobind::raise_python_error();
  const nanobind::object held = nanobind::steal(bytes);
  return {PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes))};
}

}  // namespace bankside_python
