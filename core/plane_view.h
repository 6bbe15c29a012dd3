/// One plane of pixels that somebody else owns. Small enough to pass by value, into CUDA kernels too.
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/element_type.h"
#include "core/host_device.h"

namespace bankside {

/// Shape [height, width]; `stride` in elements from one row to the next.
template <class T>
struct PlaneView {
  T* data = nullptr;
  int width = 0;
  int height = 0;
  std::ptrdiff_t stride = 0;

  BANKSIDE_HOST_DEVICE T* row(int y) const { return data + y * stride; }
  BANKSIDE_HOST_DEVICE T& at(int x, int y) const { return row(y)[x]; }
};

/// A plane whose element type is known at run time only. `strideBytes` from one row to the next.
/// `Byte` is `std::byte` or `const std::byte`.
template <class Byte>
struct AnyPlane {
  Byte* data = nullptr;
  ElementType type = ElementType::F32;
  int width = 0;
  int height = 0;
  std::ptrdiff_t strideBytes = 0;

  Byte* row(int y) const { return data + y * strideBytes; }

  /// The typed view; `T` must be the type behind `type`.
  template <class T>
  auto as() const {
    using Element = std::conditional_t<std::is_const_v<Byte>, const T, T>;
    return PlaneView<Element>{reinterpret_cast<Element*>(data), width, height,
                              strideBytes / static_cast<std::ptrdiff_t>(sizeof(T))};
  }

  operator AnyPlane<const std::byte>() const { return {data, type, width, height, strideBytes}; }
};

using ConstPlane = AnyPlane<const std::byte>;
using MutablePlane = AnyPlane<std::byte>;

}  // namespace bankside
