/// Arrays of Python's: whatever has the buffer protocol or DLPack, in host memory.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>

#include "bankside/bankside.hpp"

namespace bankside_python {

using AnyArray = nanobind::ndarray<>;
using ReadableArray = nanobind::ndarray<nanobind::ro>;

/// Throws TypeError for what is no array of one of the four types, ValueError for one that is not in host
/// memory.
ReadableArray readable(nanobind::handle object, const char* what);
/// TypeError for a read-only one too.
AnyArray writable(nanobind::handle object, const char* what);

/// "uint8", "uint16", "float16", "float32". `typeNamed` throws ValueError for another word.
const char* nameOf(std::int32_t type);
std::int32_t typeNamed(const std::string& name);

/// An array [H,W] or, with its channels along `channelAxis`, of three axes as [C,H,W]. Throws ValueError.
bk_view viewOf(const void* data, nanobind::dlpack::dtype type, std::size_t axes, const std::int64_t* shape,
               const std::int64_t* strides, int channelAxis, const char* what);

template <class Array>
bk_view viewOf(const Array& array, int channelAxis, const char* what) {
  const void* data = static_cast<const std::byte*>(array.data_handle()) + array.byte_offset();
  return viewOf(data, array.dtype(), array.ndim(), array.shape_ptr(), array.stride_ptr(), channelAxis, what);
}

/// An array of `axes` sizes with new memory; `like` says whose: NumPy's, PyTorch's or JAX's where it is one
/// of those, else an object with buffer protocol and DLPack. `data` is where its elements lie.
nanobind::object newArray(std::int32_t type, const std::size_t* shape, std::size_t axes,
                          nanobind::handle like, void*& data);

}  // namespace bankside_python
