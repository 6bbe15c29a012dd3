#include "python/exchange.h"

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

}  // namespace bankside_python
