/// Results that the module makes.
#pragma once

#include "python/arrays.h"

namespace bankside_python {

/// An array of `axes` sizes with new memory; `like` says whose: NumPy's, PyTorch's or JAX's where it is one
/// of those, else an object with buffer protocol and DLPack. `data` is where its elements lie.
nanobind::object newArray(std::int32_t type, const std::size_t* shape, std::size_t axes,
                          nanobind::handle like, void*& data);

}  // namespace bankside_python
