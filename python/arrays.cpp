#include "python/arrays.h"

#include <nanobind/stl/string.h>

#include <cstdlib>
#include <new>

namespace nb = nanobind;

namespace bankside_python {
namespace {

constexpr const char* typeNames[] = {"float32", "uint8", "uint16", "float16"};

std::string typeOf(nb::handle object) { return nb::cast<std::string>(nb::str(nb::type_name(object.type()))); }

/// The dtype as NumPy writes it.
std::string nameOf(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  const char* kind = "values of a kind of their own, ";
  switch (static_cast<Code>(type.code)) {
    case Code::Int: kind = "int"; break;
    case Code::UInt: kind = "uint"; break;
    case Code::Float: kind = "float"; break;
    case Code::Bfloat: kind = "bfloat"; break;
    case Code::Complex: kind = "complex"; break;
    case Code::Bool: return "bool";
    default: break;
  }
  return kind + std::to_string(type.bits);
}

std::int32_t typeOf(nb::dlpack::dtype type, const char* what) {
  const std::string name = nameOf(type);
  for (std::int32_t i = 0; i < 4; ++i) {
    if (name == typeNames[i] && type.lanes == 1) return i;
  }
  const std::string sentence =
      std::string(what) + " holds " + name +
      "; pixels are uint8, uint16, float16 or float32, and nothing is converted unasked";
  throw nb::type_error(sentence.c_str());
}

void requireHost(int deviceType, const char* what) {
  if (deviceType == nb::device::cpu::value) return;
  throw nb::value_error((std::string(what) + " does not lie in host memory; copy it there first").c_str());
}

/// Whether the object's class, or one that it is made from, is of that module.
bool isOf(nb::handle object, const char* module) {
  for (const nb::handle base : nb::borrow<nb::tuple>(object.type().attr("__mro__"))) {
    const std::string name = nb::cast<std::string>(nb::str(base.attr("__module__")));
    if (name == module || name.rfind(std::string(module) + ".", 0) == 0) return true;
  }
  return false;
}

/// What nanobind reads safely: a memory view writes out the strides that a buffer may leave to be guessed (as
/// those of ctypes do, and nanobind then reads them through a null pointer).
nb::object withStrides(nb::handle object) {
  if (!PyObject_CheckBuffer(object.ptr()) || PyMemoryView_Check(object.ptr()) ||
      nb::hasattr(object, "__dlpack__"))
    return nb::borrow(object);
  PyObject* view = PyMemoryView_FromObject(object.ptr());
  if (view == nullptr) throw nb::python_error();
  return nb::steal(view);
}

template <class Framework>
nb::object castNew(void* data, const std::size_t* shape, std::size_t axes, nb::handle owner,
                   nb::dlpack::dtype type) {
  const nb::ndarray<Framework> array(data, axes, shape, owner, nullptr, type, nb::device::cpu::value, 0);
  return nb::cast(array);
}

}  // namespace

ReadableArray readable(nb::handle object, const char* what) {
  ReadableArray array;
  if (!nb::try_cast(withStrides(object), array, false) || !array.is_valid()) {  // None is cast to no array
    throw nb::type_error((std::string(what) + " is a " + typeOf(object) +
                          ", which offers no array by the buffer protocol or DLPack")
                             .c_str());
  }
  requireHost(array.device_type(), what);
  return array;
}

AnyArray writable(nb::handle object, const char* what) {
  AnyArray array;
  if (!nb::try_cast(withStrides(object), array, false) || !array.is_valid()) {  // None is cast to no array
    throw nb::type_error(
        (std::string(what) + " is a " + typeOf(object) + ", which offers no array that can be written")
            .c_str());
  }
  requireHost(array.device_type(), what);
  return array;
}

const char* nameOf(std::int32_t type) { return typeNames[type]; }

std::int32_t typeNamed(const std::string& name) {
  for (std::int32_t i = 0; i < 4; ++i) {
    if (name == typeNames[i]) return i;
  }
  throw nb::value_error(
      ("there is no pixel type \"" + name + "\"; there are uint8, uint16, float16 and float32").c_str());
}

bk_view viewOf(const void* data, nb::dlpack::dtype type, std::size_t axes, const std::int64_t* shape,
               const std::int64_t* strides, int channelAxis, const char* what) {
  const std::int32_t pixel = typeOf(type, what);
  if (axes != 2 && axes != 3) {
    throw nb::value_error((std::string(what) + " has " + std::to_string(axes) +
                           " axes; an image is [H,W], or has three with its channels along channel_axis")
                              .c_str());
  }
  const std::int64_t size = bk_type_size(pixel);
  bk_view view = bk_dense_view(const_cast<void*>(data), pixel, 1, 1, 1);
  std::size_t rowAxis = 0;
  if (axes == 3) {
    const int axis = channelAxis < 0 ? channelAxis + 3 : channelAxis;
    if (axis < 0 || axis > 2) {
      throw nb::value_error(
          ("channel_axis is " + std::to_string(channelAxis) + ", expected -3 to 2").c_str());
    }
    view.channels = shape[axis];
    view.channel_stride = strides[axis] * size;
    rowAxis = axis == 0 ? 1 : 0;
  }
  const std::size_t columnAxis = axes == 2 ? 1 : channelAxis == 2 || channelAxis == -1 ? 1 : 2;
  view.height = shape[rowAxis];
  view.row_stride = strides[rowAxis] * size;
  view.width = shape[columnAxis];
  view.pixel_stride = strides[columnAxis] * size;
  return view;
}

nb::object newArray(std::int32_t type, const std::size_t* shape, std::size_t axes, nb::handle like,
                    void*& data) {
  std::size_t bytes = static_cast<std::size_t>(bk_type_size(type));
  bool fits = true;
  for (std::size_t i = 0; i < axes; ++i) fits = fits && !__builtin_mul_overflow(bytes, shape[i], &bytes);
  fits = fits && bytes <= std::size_t(PTRDIFF_MAX) - 64;
  data = fits ? std::aligned_alloc(64, (bytes + 63) / 64 * 64) : nullptr;
  if (data == nullptr) throw std::bad_alloc();
  const nb::capsule owner(data, [](void* memory) noexcept { std::free(memory); });
  const nb::dlpack::dtype element = {
      static_cast<std::uint8_t>(type == BK_F32 || type == BK_F16 ? nb::dlpack::dtype_code::Float
                                                                 : nb::dlpack::dtype_code::UInt),
      static_cast<std::uint8_t>(bk_type_size(type) * 8), 1};
  if (isOf(like, "numpy")) return castNew<nb::numpy>(data, shape, axes, owner, element);
  if (isOf(like, "torch")) return castNew<nb::pytorch>(data, shape, axes, owner, element);
  if (isOf(like, "jaxlib")) return castNew<nb::jax>(data, shape, axes, owner, element);
  return castNew<nb::array_api>(data, shape, axes, owner, element);
}

}  // namespace bankside_python
