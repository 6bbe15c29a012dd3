/// Arrays of Python's: whatever has the buffer protocol or DLPack in host memory, or lies on a CUDA device.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bankside/bankside.hpp"
#include "python/exchange.h"

namespace bankside_python {

/// Where an array's elements lie, of one of the four types.
struct ArrayPlaces {
  const void* data = nullptr;
  std::int32_t type = BK_F32;
  bool isDouble = false;  ///< `type` is that of what it is rounded to
  std::size_t axes = 0;
  const std::int64_t* shape = nullptr;
  const std::int64_t* strides = nullptr;  ///< in bytes
};

/// Whether the object says that it lies on a CUDA device, by DLPack, or where it has none by
/// __cuda_array_interface__. Whether it has buffers says nothing: CuPy's class does. Throws TypeError.
bool liesOnDevice(nanobind::handle object, const char* what);

/// An array in the memory of a CUDA device. Who owns it keeps it: what is started on a stream goes on after
/// the call.
class DeviceArray : public ArrayPlaces {
 public:
  /// Of a DLPack capsule, which is held. Throws TypeError, ValueError.
  DeviceArray(nanobind::object capsule, bool written, const std::string& what);
  /// What __cuda_array_interface__ says. Throws TypeError.
  DeviceArray(std::uint64_t address, std::vector<std::int64_t> sizes, std::vector<std::int64_t> steps,
              const std::string& type, bool written, const std::string& what);
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  int device() const { return device_; }  ///< -1: unknown
  /// Whether elements follow each other without gaps, the last axis first.
  bool dense() const;

 private:
  void keepShape(std::vector<std::int64_t> sizes, std::vector<std::int64_t> steps);

  nanobind::ndarray<nanobind::ro> held_;
  std::vector<std::int64_t> shape_, strides_;
  int device_ = -1;
};

/// An array of one of the four types in host memory, which is held as long as this lives. One of float64 that
/// is read is a copy, each value rounded once to float32.
class HeldArray : public ArrayPlaces {
 public:
  /// ReadingOnHost is Reading but for an array on a device, of which nothing is held.
  enum class For { Reading, ReadingOnHost, Writing };
  bool onDevice = false;  ///< only where it is ReadingOnHost

  /// Throws TypeError for what is no such array, or a read-only one that is to be written; ValueError for one
  /// that is not in host memory, or has a value beyond float32's range.
  HeldArray(nanobind::handle object, For purpose, const char* what);
  ~HeldArray();
  HeldArray(const HeldArray&) = delete;
  HeldArray& operator=(const HeldArray&) = delete;

 private:
  HeldArray() = default;
  bool holdExchanged(nanobind::handle object, For purpose, const char* what);
  bool holdBuffer(nanobind::handle object, For purpose, const char* what);
  void roundToFloat(const char* what);

  Py_buffer buffer_ = {};
  exchange::HeldTensor exchanged_;
  nanobind::ndarray<> written_;
  nanobind::ndarray<nanobind::ro> read_;
  std::vector<std::int64_t> byteStrides_;
  std::unique_ptr<float[]> rounded_;
};

/// "uint8", "uint16", "float16", "float32". `typeNamed` throws ValueError for another word.
const char* nameOf(std::int32_t type);
std::int32_t typeNamed(const std::string& name);

/// What an element is: the bk_type, or of a float64 image what it is rounded to.
struct Element {
  std::int32_t type = -1;
  bool isDouble = false;
};

/// Throws TypeError for one that is not taken.
Element elementOf(nanobind::dlpack::dtype type, bool written, const char* what);

/// Whether the object's class, or one that it is made from, is of that module.
bool isOf(nanobind::handle object, const char* module);

bool isCuda(int deviceType);
[[noreturn]] void refuseDevice(const char* what);

/// The name of its elements' type.
const char* typeOf(const ArrayPlaces& array);

/// Throws TypeError for an array of other elements.
void requireType(const ArrayPlaces& array, std::int32_t type, const char* what);

/// The axis of an image's channels where `given` says none: the first. Throws ValueError for one of three
/// axes that looks like [H,W,C]: then it is said.
int channelAxisOf(std::optional<int> given, std::size_t axes, const std::int64_t* shape, const char* what);

/// An array [H,W] or, with its channels along `channelAxis`, of three axes as [C,H,W]; strides in bytes.
/// Throws ValueError.
bk_view viewOf(const void* data, std::int32_t type, std::size_t axes, const std::int64_t* shape,
               const std::int64_t* strides, int channelAxis, const char* what);

}  // namespace bankside_python
