#include "python/exchange.h"

#include "python/arrays.h"

namespace nb = nanobind;

namespace bankside_python {
namespace exchange {
namespace {

constexpr std::uint32_t majorVersion = 1;

/// What a type's capsule points to, for the life of the process.
struct Functions {
  Version version;
  const Functions* earlier;  ///< of who offers several major versions
  void* allocate;
  int (*tensorFromObject)(void* object, ManagedTensor** tensor);
  void* tensorToObject;
  void* placesFromObject;
  void* currentStream;
};

const Functions* functionsOf(PyTypeObject* type) {
  static PyObject* const name = PyUnicode_InternFromString("__dlpack_c_exchange_api__");
  PyObject* const object = reinterpret_cast<PyObject*>(type);
  if (PyObject_HasAttr(object, name) == 0) return nullptr;
  const nb::object capsule = nb::steal(PyObject_GetAttr(object, name));
  constexpr const char* kind = "dlpack_exchange_api";
  if (!capsule.is_valid() || PyCapsule_IsValid(capsule.ptr(), kind) == 0) return nullptr;
  const auto* functions = static_cast<const Functions*>(PyCapsule_GetPointer(capsule.ptr(), kind));
  while (functions != nullptr && functions->version.major > majorVersion) functions = functions->earlier;
  return functions == nullptr || functions->version.major != majorVersion ? nullptr : functions;
}

bool keepsGradient(nb::handle object) {
  static PyObject* const name = PyUnicode_InternFromString("requires_grad");
  if (PyObject_HasAttr(object.ptr(), name) == 0) return false;
  const nb::object value = nb::steal(PyObject_GetAttr(object.ptr(), name));
  return !value.is_valid() || PyObject_IsTrue(value.ptr()) != 0;
}

}  // namespace

HeldTensor tensorOf(nb::handle object) {
  const Functions* const functions = functionsOf(Py_TYPE(object.ptr()));
  HeldTensor held;
  if (functions != nullptr && !keepsGradient(object)) {
    ManagedTensor* tensor = nullptr;
    const int failed = functions->tensorFromObject(object.ptr(), &tensor);
    if (failed == 0) held.reset(tensor);
    if (held != nullptr && held->version.major != majorVersion) held.reset();
  }
  PyErr_Clear();  // `__dlpack__` says it again, with a sentence
  return held;
}

}  // namespace exchange

bool HeldArray::holdExchanged(nb::handle object, For purpose, const char* what) {
  exchanged_ = exchange::tensorOf(object);
  if (exchanged_ == nullptr) return false;
  const exchange::Tensor& tensor = exchanged_->tensor;
  if (isCuda(tensor.device.type)) {
    if (purpose != For::ReadingOnHost) refuseDevice(what);
    exchanged_.reset();
    onDevice = true;
    return true;
  }
  if (tensor.device.type != nb::device::cpu::value ||
      (purpose == For::Writing && (exchanged_->flags & exchange::readOnly) != 0))
    return false;
  const Element element = elementOf(tensor.type, purpose == For::Writing, what);
  type = element.type;
  isDouble = element.isDouble;
  data = static_cast<const std::byte*>(tensor.data) + tensor.byteOffset;
  axes = static_cast<std::size_t>(tensor.axes);
  shape = tensor.shape;
  std::int64_t step = isDouble ? sizeof(double) : bk_type_size(type);
  byteStrides_.assign(axes, step);
  for (std::size_t i = axes; i-- > 0; step *= shape[i])
    byteStrides_[i] = tensor.strides == nullptr ? step : tensor.strides[i] * byteStrides_[i];
  strides = byteStrides_.data();
  return true;
}

}  // namespace bankside_python
