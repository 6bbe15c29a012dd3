#include "python/filter_call.h"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <new>

namespace nb = nanobind;

namespace bankside_python {
namespace {

/// The arguments in their order: the image, what a plan is asked for, and what is no part of a plan.
constexpr const char* argumentNames[] = {"image",     "bank",   "border", "border_value", "combine",
                                         "precision", "engine", "result", "channel_axis", "threads",
                                         "out",       "device", "stream"};
constexpr std::size_t argumentCount = std::size(argumentNames);
constexpr std::size_t positional = 2;
constexpr std::size_t out = 1 + filterWords;
constexpr std::size_t device = out + 1;
constexpr std::size_t stream = out + 2;
static_assert(stream + 1 == argumentCount);
using Arguments = std::array<PyObject*, argumentCount>;

/// Python's own objects are made without constructors: pointers, each to what this holds, or null.
struct FilterCall {
  PyObject head;
  vectorcallfunc vectorcall;
  PyObject* attributes;
  PyObject* references;  ///< weak ones
  PyObject* plans;
  PyObject* function;
  Arguments names;     ///< interned
  Arguments defaults;  ///< null where there is none
};

FilterCall& callOf(PyObject* self) { return *reinterpret_cast<FilterCall*>(self); }

/// Nearly all names of calls are interned.
std::size_t placeOf(const FilterCall& call, PyObject* name) {
  const auto same = [&](PyObject* known) { return PyUnicode_Compare(known, name) == 0; };
  auto place = std::find(call.names.begin(), call.names.end(), name);
  if (place == call.names.end()) place = std::find_if(call.names.begin(), call.names.end(), same);
  return static_cast<std::size_t>(place - call.names.begin());
}

/// Whether every argument is known, given once at most, and there.
bool sortArguments(const FilterCall& call, PyObject* const* given, std::size_t inOrder, PyObject* byName,
                   Arguments& arguments) {
  if (inOrder > positional) return false;
  std::fill(std::copy(given, given + inOrder, arguments.begin()), arguments.end(), nullptr);
  const Py_ssize_t named = byName == nullptr ? 0 : PyTuple_GET_SIZE(byName);
  for (Py_ssize_t i = 0; i < named; ++i) {
    const std::size_t place = placeOf(call, PyTuple_GET_ITEM(byName, i));
    if (place == argumentCount || arguments[place] != nullptr) return false;
    arguments[place] = given[inOrder + static_cast<std::size_t>(i)];
  }
  for (std::size_t i = 0; i < argumentCount; ++i) {
    if (arguments[i] == nullptr) arguments[i] = call.defaults[i];
    if (arguments[i] == nullptr) return false;
  }
  return true;
}

bool saysHost(nb::handle place) {
  return place.is_none() ||
         (PyUnicode_Check(place.ptr()) && PyUnicode_CompareWithASCIIString(place.ptr(), "cpu") == 0);
}

void setPythonError() noexcept {
  const std::exception_ptr thrown = std::current_exception();
  if (setError(thrown)) return;
  try {
    std::rethrow_exception(thrown);
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const nb::builtin_exception& error) {
    PyErr_SetString(error.type() == nb::exception_type::type_error ? PyExc_TypeError : PyExc_ValueError,
                    error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

PyObject* run(PyObject* self, PyObject* const* given, std::size_t flags, PyObject* byName) noexcept {
  const FilterCall& call = callOf(self);
  try {
    Arguments arguments;
    if (sortArguments(call, given, static_cast<std::size_t>(PyVectorcall_NARGS(flags)), byName, arguments) &&
        arguments[stream] == Py_None && saysHost(arguments[device])) {
      FilterWords words;
      std::copy_n(arguments.begin() + 1, filterWords, words.begin());
      nb::object filtered = nb::inst_ptr<KeptPlans>(call.plans)->run(arguments[0], arguments[out], words);
      if (!filtered.is_none()) return filtered.release().ptr();
    }
  } catch (...) {
    setPythonError();
    return nullptr;
  }
  return PyObject_Vectorcall(call.function, given, flags, byName);
}

int visitHeld(PyObject* self, visitproc visit, void* arg) {
  const FilterCall& call = callOf(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(call.attributes);
  Py_VISIT(call.plans);
  Py_VISIT(call.function);
  for (PyObject* value : call.defaults) Py_VISIT(value);
  return 0;
}

/// Its function's module holds it: what it needs to be called goes with it.
int clearAttributes(PyObject* self) {
  Py_CLEAR(callOf(self).attributes);
  return 0;
}

void destroy(PyObject* self) {
  PyObject_GC_UnTrack(self);
  FilterCall& call = callOf(self);
  if (call.references != nullptr) PyObject_ClearWeakRefs(self);
  Py_CLEAR(call.attributes);
  Py_CLEAR(call.plans);
  Py_CLEAR(call.function);
  for (PyObject*& name : call.names) Py_CLEAR(name);
  for (PyObject*& value : call.defaults) Py_CLEAR(value);
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* describe(PyObject* self) { return PyObject_Repr(callOf(self).function); }

/// As a function in a class, which is a method there.
PyObject* bind(PyObject* self, PyObject* object, PyObject*) {
  return object == nullptr || object == Py_None ? Py_NewRef(self) : PyMethod_New(self, object);
}

/// Pickled by its name, as functions are.
PyObject* reduce(PyObject* self, PyObject*) {
  return PyObject_GetAttrString(callOf(self).function, "__qualname__");
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(FilterCall, vectorcall), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(FilterCall, attributes), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(FilterCall, references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                       {Py_tp_traverse, reinterpret_cast<void*>(visitHeld)},
                       {Py_tp_clear, reinterpret_cast<void*>(clearAttributes)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_tp_repr, reinterpret_cast<void*>(describe)},
                       {Py_tp_descr_get, reinterpret_cast<void*>(bind)},
                       {Py_tp_members, members},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, properties},
                       {0, nullptr}};
PyType_Spec spec = {
    "bankside._core.FilterCall", sizeof(FilterCall), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    slots};

nb::object made(PyObject* object) {
  if (object == nullptr) nb::raise_python_error();
  return nb::steal(object);
}

}  // namespace

nb::object filterCall(nb::handle plans, nb::handle function) {
  const nb::object type = made(PyType_FromSpec(&spec));
  nb::object call = made(PyType_GenericAlloc(reinterpret_cast<PyTypeObject*>(type.ptr()), 0));  // zeros
  FilterCall& parts = callOf(call.ptr());
  parts.vectorcall = run;
  parts.plans = nb::borrow(plans).release().ptr();
  parts.function = nb::borrow(function).release().ptr();
  const nb::dict defaults = nb::borrow<nb::dict>(function.attr("__kwdefaults__"));
  for (std::size_t i = 0; i < argumentCount; ++i) {
    parts.names[i] = made(PyUnicode_InternFromString(argumentNames[i])).release().ptr();
    if (i >= positional) parts.defaults[i] = nb::object(defaults[parts.names[i]]).release().ptr();
  }
  for (const char* name : {"__module__", "__name__", "__qualname__", "__doc__", "__annotations__"})
    nb::setattr(call, name, function.attr(name));
  nb::setattr(call, "__wrapped__", function);
  return call;
}

}  // namespace bankside_python
