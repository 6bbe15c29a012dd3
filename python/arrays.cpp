#include "python/arrays.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "python/buffer.h"

namespace nb = nanobind;

namespace bankside_python {
namespace {

constexpr const char* typeNames[] = {"float32", "uint8", "uint16", "float16"};

std::string typeOf(nb::handle object) { return nb::cast<std::string>(nb::str(nb::type_name(object.type()))); }

/// Of an array the type of its elements too: ">f4", of another byte order, is the one that is not seen.
std::string typesOf(nb::handle object) {
  const std::string type = typeOf(object);
  if (!nb::hasattr(object, "dtype")) return type;
  nb::object elements = object.attr("dtype");
  if (nb::hasattr(elements, "str")) elements = elements.attr("str");
  return type + " of " + nb::cast<std::string>(nb::str(elements));
}

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

/// Of a buffer's format as NumPy and `array` write it, without a byte order; type -1 for others.
Element elementOf(const Py_buffer& buffer, bool written) {
  constexpr char letters[] = {'f', 'B', 'H', 'e'};
  const char* format = buffer.format == nullptr ? "B" : buffer.format;
  if (format[0] == '\0' || format[1] != '\0') return {};
  for (std::int32_t i = 0; i < 4; ++i) {
    if (format[0] == letters[i]) return {i, false};
  }
  if (format[0] == 'd' && !written) return {BK_F32, true};
  return {};
}

void requireHost(int deviceType, const char* what) {
  if (deviceType != nb::device::cpu::value) refuseDevice(what);
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

bool hasDeviceInterface(nb::handle object) {
  static PyObject* const name = PyUnicode_InternFromString("__cuda_array_interface__");
  return PyObject_HasAttr(object.ptr(), name) == 1;
}

/// What is no device's and has no mask: memory views, and NumPy's own class, whose children may be or have
/// either.
bool isPlain(nb::handle object) {
  return PyMemoryView_Check(object.ptr()) ||
         std::strcmp(Py_TYPE(object.ptr())->tp_name, "numpy.ndarray") == 0;
}

bool isMasked(nb::handle object) {
  static PyObject* const name = PyUnicode_InternFromString("mask");
  return PyObject_HasAttr(object.ptr(), name) == 1 && isOf(object, "numpy.ma");
}

/// The number of what DLPack says: PyTorch's tensors without memory raise, and are nowhere.
bool saysDevice(nb::handle object, const char* what) {
  const nb::object place = nb::steal(PyObject_CallMethod(object.ptr(), "__dlpack_device__", nullptr));
  if (!place.is_valid()) {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) nb::raise_python_error();
    PyErr_Clear();
    return hasDeviceInterface(object);
  }
  long numbers[2] = {0, 0};
  if (PyArg_Parse(place.ptr(), "(ll)", &numbers[0], &numbers[1]) == 0) {
    PyErr_Clear();
    throw nb::type_error((std::string(what) + " says with __dlpack_device__ no pair of numbers").c_str());
  }
  return isCuda(static_cast<int>(numbers[0]));
}

}  // namespace

Element elementOf(nb::dlpack::dtype type, bool written, const char* what) {
  const std::string name = nameOf(type);
  for (std::int32_t i = 0; i < 4 && type.lanes == 1; ++i) {
    if (name == typeNames[i]) return {i, false};
  }
  if (name == "float64" && type.lanes == 1 && !written) return {BK_F32, true};
  const std::string sentence =
      std::string(what) + " holds " + name +
      (written ? "; results are uint8, uint16, float16 or float32"
               : "; pixels are uint8, uint16, float16, float32 or float64, and nothing else is converted");
  throw nb::type_error(sentence.c_str());
}

bool isOf(nb::handle object, const char* module) {
  for (const nb::handle base : nb::borrow<nb::tuple>(object.type().attr("__mro__"))) {
    const std::string name = nb::cast<std::string>(nb::str(base.attr("__module__")));
    if (name == module || name.rfind(std::string(module) + ".", 0) == 0) return true;
  }
  return false;
}

bool isCuda(int deviceType) {
  return deviceType == nb::device::cuda::value || deviceType == nb::device::cuda_managed::value;
}

void refuseDevice(const char* what) {
  throw nb::value_error((std::string(what) + " does not lie in host memory; copy it there first").c_str());
}

/// The short way: NumPy's arrays and others that have buffers of the four types. CuPy's class has the buffer
/// protocol too, whose buffers are refused or wait for the device.
bool HeldArray::holdBuffer(nb::handle object, For purpose, const char* what) {
  if (!PyObject_CheckBuffer(object.ptr())) return false;
  if (!isPlain(object)) {
    if (hasDeviceInterface(object)) return false;
    if (isMasked(object)) {
      throw nb::type_error(
          (std::string(what) + " is masked, and no filter knows a mask; give its data or filled()").c_str());
    }
  }
  const int flags = purpose == For::Writing ? PyBUF_RECORDS : PyBUF_RECORDS_RO;
  if (!takeBuffer(object, buffer_, flags)) {
    // Of memory that was released Python says so itself.
    if (PyMemoryView_Check(object.ptr()) && PyErr_ExceptionMatches(PyExc_ValueError))
      nb::raise_python_error();
    PyErr_Clear();  // the long way has a sentence for it
    return false;
  }
  const Element element = elementOf(buffer_, purpose == For::Writing);
  if (element.type < 0 || buffer_.strides == nullptr) {
    giveBack(buffer_);
    return false;
  }
  type = element.type;
  isDouble = element.isDouble;
  static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
  data = buffer_.buf;
  axes = static_cast<std::size_t>(buffer_.ndim);
  shape = reinterpret_cast<const std::int64_t*>(buffer_.shape);
  strides = reinterpret_cast<const std::int64_t*>(buffer_.strides);
  return true;
}

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

HeldArray::HeldArray(nb::handle object, For purpose, const char* what)
    : HeldArray() {  // what has been made is destroyed where the rest throws: a buffer is given back
  if (holdBuffer(object, purpose, what) || holdExchanged(object, purpose, what)) {
    if (isDouble) roundToFloat(what);
    return;
  }
  if (liesOnDevice(object, what)) {  // before its library orders streams for nobody
    if (purpose != For::ReadingOnHost) refuseDevice(what);
    onDevice = true;
    return;
  }
  const auto take = [&](auto& array, const char* lacks) {
    if (!nb::try_cast(withStrides(object), array, false) || !array.is_valid()) {  // None is cast to no array
      throw nb::type_error((std::string(what) + " is a " + typesOf(object) + lacks).c_str());
    }
    requireHost(array.device_type(), what);
    const Element element = elementOf(array.dtype(), purpose == For::Writing, what);
    type = element.type;
    isDouble = element.isDouble;
    data = static_cast<const std::byte*>(array.data_handle()) + array.byte_offset();
    axes = array.ndim();
    shape = array.shape_ptr();
    byteStrides_.assign(array.stride_ptr(), array.stride_ptr() + axes);
    const std::int64_t size = isDouble ? sizeof(double) : bk_type_size(type);
    for (std::int64_t& stride : byteStrides_) stride *= size;
    strides = byteStrides_.data();
  };
  if (purpose == For::Writing) {
    take(written_, ", which offers no array that can be written");
  } else {
    take(read_, ", which offers no array by the buffer protocol or DLPack");
  }
  if (isDouble) roundToFloat(what);
}

void HeldArray::roundToFloat(const char* what) {
  if (axes != 2 && axes != 3) return;  // viewOf has a sentence for it
  std::int64_t sizes[3] = {1, 1, 1};
  std::int64_t steps[3] = {0, 0, 0};
  std::copy(shape, shape + axes, sizes + 3 - axes);
  std::copy(strides, strides + axes, steps + 3 - axes);
  rounded_.reset(new float[static_cast<std::size_t>(sizes[0] * sizes[1] * sizes[2])]);
  float* to = rounded_.get();
  double lost = 0;
  {
    const nb::gil_scoped_release release;
    for (std::int64_t i = 0; i < sizes[0]; ++i) {
      for (std::int64_t y = 0; y < sizes[1]; ++y) {
        const std::byte* from = static_cast<const std::byte*>(data) + i * steps[0] + y * steps[1];
        for (std::int64_t x = 0; x < sizes[2]; ++x, from += steps[2]) {
          double value = 0;
          std::memcpy(&value, from, sizeof value);
          *to = static_cast<float>(value);
          if (std::isinf(*to) && !std::isinf(value)) lost = value;
          ++to;
        }
      }
    }
  }
  if (lost != 0) {
    char number[32];
    std::snprintf(number, sizeof number, "%g", lost);
    throw nb::value_error((std::string(what) + " has the value " + number +
                           ", which is beyond the range of float32, in which all sums are")
                              .c_str());
  }
  data = rounded_.get();
  byteStrides_ = {4, 4 * sizes[2], 4 * sizes[2] * sizes[1]};
  byteStrides_.resize(axes);
  std::reverse(byteStrides_.begin(), byteStrides_.end());
  strides = byteStrides_.data();
}

bool liesOnDevice(nb::handle object, const char* what) {
  return nb::hasattr(object, "__dlpack_device__") ? saysDevice(object, what) : hasDeviceInterface(object);
}

DeviceArray::DeviceArray(nb::object capsule, bool written, const std::string& what) {
  if (!nb::try_cast(capsule, held_, false) || !held_.is_valid())
    throw nb::type_error((what + " offers no array by DLPack").c_str());
  const Element element = elementOf(held_.dtype(), written, what.c_str());
  if (element.isDouble)
    throw nb::type_error(
        (what + " holds float64; on a device pixels are uint8, uint16, float16 or float32").c_str());
  type = element.type;
  device_ = held_.device_id();
  data = static_cast<const std::byte*>(held_.data_handle()) + held_.byte_offset();
  const std::int64_t size = bk_type_size(type);
  std::vector<std::int64_t> steps(held_.stride_ptr(), held_.stride_ptr() + held_.ndim());
  for (std::int64_t& step : steps) step *= size;
  keepShape({held_.shape_ptr(), held_.shape_ptr() + held_.ndim()}, std::move(steps));
}

DeviceArray::DeviceArray(std::uint64_t address, std::vector<std::int64_t> sizes,
                         std::vector<std::int64_t> steps, const std::string& typeName, bool written,
                         const std::string& what) {
  constexpr const char* codes[] = {"f4", "u1", "u2", "f2"};
  type = -1;
  for (std::int32_t i = 0; i < 4; ++i) {
    if (typeName.size() == 3 && typeName.substr(1) == codes[i] && typeName[0] != '>') type = i;
  }
  if (type < 0)
    throw nb::type_error((what + " holds \"" + typeName + "\"; on a device " +
                          (written ? "results" : "pixels") + " are uint8, uint16, float16 or float32")
                             .c_str());
  data = reinterpret_cast<const void*>(address);
  keepShape(std::move(sizes), std::move(steps));
}

void DeviceArray::keepShape(std::vector<std::int64_t> sizes, std::vector<std::int64_t> steps) {
  shape_ = std::move(sizes);
  strides_ = std::move(steps);
  axes = shape_.size();
  if (strides_.empty()) {  // what both protocols mean by none
    strides_.resize(axes);
    std::int64_t step = bk_type_size(type);
    for (std::size_t i = axes; i-- > 0; step *= shape_[i]) strides_[i] = step;
  }
  if (strides_.size() != axes) throw nb::value_error("an array has as many strides as axes");
  shape = shape_.data();
  strides = strides_.data();
}

bool DeviceArray::dense() const {
  std::int64_t step = bk_type_size(type);
  for (std::size_t i = axes; i-- > 0; step *= shape_[i]) {
    if (shape_[i] != 1 && strides_[i] != step) return false;
  }
  return true;
}

HeldArray::~HeldArray() {
  if (buffer_.obj != nullptr) giveBack(buffer_);
}

const char* nameOf(std::int32_t type) { return typeNames[type]; }

std::int32_t typeNamed(const std::string& name) {
  for (std::int32_t i = 0; i < 4; ++i) {
    if (name == typeNames[i]) return i;
  }
  throw nb::value_error(
      ("there is no pixel type \"" + name + "\"; there are uint8, uint16, float16 and float32").c_str());
}

const char* typeOf(const ArrayPlaces& array) { return array.isDouble ? "float64" : typeNames[array.type]; }

void requireType(const ArrayPlaces& array, std::int32_t type, const char* what) {
  if (array.type == type) return;
  throw nb::type_error(
      (std::string(what) + " holds " + typeOf(array) + ", where the plan expects " + typeNames[type])
          .c_str());
}

int channelAxisOf(std::optional<int> given, std::size_t axes, const std::int64_t* shape, const char* what) {
  constexpr std::int64_t mostLast = 4;  // red, green, blue and alpha
  if (given) return *given;
  if (axes != 3 || shape[2] < 1 || shape[2] > mostLast || shape[0] <= shape[2] || shape[1] <= shape[2])
    return 0;
  std::string sizes;
  for (std::size_t i = 0; i < axes; ++i) sizes += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  throw nb::value_error(
      (std::string(what) + " of shape [" + sizes +
       "] looks like [H,W,C]: say channel_axis=-1 if its channels come last, or channel_axis=0 "
       "for " +
       std::to_string(shape[0]) + " channels of " + std::to_string(shape[1]) + " x " +
       std::to_string(shape[2]) + " pixels")
          .c_str());
}

bk_view viewOf(const void* data, std::int32_t type, std::size_t axes, const std::int64_t* shape,
               const std::int64_t* strides, int channelAxis, const char* what) {
  if (axes != 2 && axes != 3) {
    throw nb::value_error((std::string(what) + " has " + std::to_string(axes) +
                           " axes; an image is [H,W], or has three with its channels along channel_axis")
                              .c_str());
  }
  const int axis = channelAxis < 0 ? channelAxis + 3 : channelAxis;
  if (axis < 0 || axis > 2)
    throw nb::value_error(("channel_axis is " + std::to_string(channelAxis) + ", expected -3 to 2").c_str());
  bk_view view = bk_dense_view(const_cast<void*>(data), type, 1, 1, 1);
  std::size_t rowAxis = 0;
  if (axes == 3) {
    view.channels = shape[axis];
    view.channel_stride = strides[axis];
    rowAxis = axis == 0 ? 1 : 0;
  }
  const std::size_t columnAxis = axes == 2 ? 1 : channelAxis == 2 || channelAxis == -1 ? 1 : 2;
  view.height = shape[rowAxis];
  view.row_stride = strides[rowAxis];
  view.width = shape[columnAxis];
  view.pixel_stride = strides[columnAxis];
  return view;
}

}  // namespace bankside_python
