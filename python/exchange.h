/// DLPack's exchange in C, which types may offer beside `__dlpack__`: a tensor without a call of Python's.
/// Source  dlpack.h 1.3, DLPackExchangeAPI and DLManagedTensorVersioned.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>

namespace bankside_python {

namespace exchange {

struct Version {
  std::uint32_t major, minor;
};

struct Device {
  std::int32_t type, number;
};

struct Tensor {
  void* data;
  Device device;
  std::int32_t axes;
  nanobind::dlpack::dtype type;
  std::int64_t* shape;
  std::int64_t* strides;  ///< in elements; null: dense
  std::uint64_t byteOffset;
};

constexpr std::uint64_t readOnly = 1;

/// Whose memory stays until it is let go.
struct ManagedTensor {
  Version version;
  void* owner;
  void (*letGo)(ManagedTensor*);
  std::uint64_t flags;
  Tensor tensor;
};

struct LetGo {
  void operator()(ManagedTensor* tensor) const {
    if (tensor->letGo != nullptr) tensor->letGo(tensor);
  }
};
using HeldTensor = std::unique_ptr<ManagedTensor, LetGo>;

/// Null where the object's type offers none, or none of this version; or where a gradient is to be kept,
/// which
/// `__dlpack__` refuses and this would not. Throws nothing, and leaves no error.
HeldTensor tensorOf(nanobind::handle object);

}  // namespace exchange

}  // namespace bankside_python
