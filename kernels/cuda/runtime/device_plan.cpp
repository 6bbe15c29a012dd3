#include "kernels/cuda/runtime/device_plan.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <utility>

#include "core/error.h"
#include "kernels/cuda/pixels/tile_math.h"
#include "kernels/cuda/runtime/copy_planes.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/cuda/runtime/plane_launch.h"
#include "kernels/cuda/runtime/stream.h"

namespace bankside::cuda {
namespace {

/// Bytes that rows of results begin at multiples of, and so do planes.
constexpr std::ptrdiff_t resultUnit = 16;

bool isMultiple(const DevicePlanes& p, std::ptrdiff_t unit) {
  return (static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(p.pixels)) | p.row | p.plane |
          p.group) %
             unit ==
         0;
}

/// Throws Error{BadInput} unless it is memory of the current device.
void requireOnDevice(const void* memory, const char* what) {
  cudaPointerAttributes found{};
  BANKSIDE_CUDA_CHECK(cudaPointerGetAttributes(&found, memory));
  if (found.type != cudaMemoryTypeDevice && found.type != cudaMemoryTypeManaged) {
    throw Error(ErrorCode::BadInput,
                std::string(what) + (found.type == cudaMemoryTypeHost
                                         ? " lie in host memory, where the plan is for the device's"
                                         : " lie in no memory of the device; perhaps it was freed"));
  }
  if (found.type == cudaMemoryTypeDevice && found.device != currentDevice()) {
    throw Error(ErrorCode::BadInput, std::string(what) + " lie on device " + std::to_string(found.device) +
                                         ", where the plan is for device " + std::to_string(currentDevice()));
  }
}

/// Whether a stream's launches become a graph's. Throws Error{BadInput} for a stream that cannot take
/// launches.
bool isCapturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t error = cudaStreamIsCapturing(stream, &status);
  if (error == cudaSuccess && status != cudaStreamCaptureStatusInvalidated)
    return status == cudaStreamCaptureStatusActive;
  cudaGetLastError();
  throw Error(
      ErrorCode::BadInput,
      status == cudaStreamCaptureStatusInvalidated
          ? "the capture of the stream into a graph has failed before"
          : "the stream cannot be used: it is none of this device, or the legacy stream while another "
            "one is captured (" +
                describe(error) + ")");
}

class KernelPlan final : public DevicePlan {
 public:
  KernelPlan(const ConvolutionProblem& p, std::unique_ptr<BandKernel> kernel, bool anySteps)
      : problem_(p),
        kernel_(std::move(kernel)),
        pixelBytes_(static_cast<std::ptrdiff_t>(sizeOf(p.srcType))),
        valueBytes_(static_cast<std::ptrdiff_t>(sizeOf(outputPlaneType(p, 0)))),
        planes_(p.combine == Combine::None ? p.filterCount : 1) {
    const std::ptrdiff_t row = roundUp(p.width, 64);
    if (anySteps || p.width % kernel_->rowUnit() != 0) {
      const std::ptrdiff_t plane = row * pixelBytes_ * p.height;
      pixels_.reserve(static_cast<std::size_t>(plane * p.channels));
      ownImage_ = {pixels_.data(), plane, row * pixelBytes_, pixelBytes_, 0};
    }
    if (anySteps || p.width * valueBytes_ % resultUnit != 0) {
      const std::ptrdiff_t plane = row * valueBytes_ * p.height;
      values_.reserve(static_cast<std::size_t>(plane * planes_ * p.responseGroups()));
      ownResults_ = {values_.data(), plane, row * valueBytes_, valueBytes_, plane * planes_};
      if (withIndex()) {
        places_.reserve(static_cast<std::size_t>(2 * row * p.height * p.responseGroups()));
        ownIndices_ = {places_.data(), 2 * row * p.height, 2 * row, 2, 2 * row * p.height};
      }
    }
    warmUp();
  }

  /// What was started works with the plan's memory, and with what it holds of constant memory.
  ~KernelPlan() override {
    const CurrentDevice here(device_, std::nothrow);
    cudaDeviceSynchronize();
    ready_.clear();
    kernel_.reset();
    cudaGetLastError();  // none of this is the caller's next error
  }

  PlanInfo info() const override { return {.shape = kernel_->describe()}; }
  NumericTraits traits() const override { return kernel_->traits(); }

  void start(const DevicePlanes& image, const DevicePlanes& results, const DevicePlanes* indices,
             void* stream) override {
    const CurrentDevice here(device_);
    requireOnDevice(image.pixels, "the pixels of the image");
    requireOnDevice(results.pixels, "the results");
    if (indices != nullptr) requireOnDevice(indices->pixels, "the indices");
    const bool captured = isCapturing(static_cast<cudaStream_t>(stream));
    const std::lock_guard lock(starting_);
    // Streams that take turns shall not wait for one another.
    const bool again = std::exchange(lastStream_, static_cast<cudaStream_t>(stream)) == stream;
    const Planes given{image, results, indices == nullptr ? DevicePlanes{} : *indices};
    if (!again || captured) return launch(given, static_cast<cudaStream_t>(stream));
    const int way = wayOf(given);
    if (ready_.startAgain(way, static_cast<cudaStream_t>(stream))) return;
    const ReadyLaunches::Call call(ready_, way);
    launch(given, static_cast<cudaStream_t>(stream));
  }

 private:
  /// What a call is given; without indices their pixels are null.
  struct Planes {
    DevicePlanes image, results, indices;
    bool operator==(const Planes&) const = default;
  };

  /// The one that had these planes last, or else the one that waited longest, which has them from now on.
  int wayOf(const Planes& given) {
    const auto same = std::find(asked_.begin(), asked_.end(), given);
    if (same != asked_.end()) return static_cast<int>(same - asked_.begin());
    const int way = nextWay_;
    nextWay_ = (nextWay_ + 1) % ReadyLaunches::ways;
    asked_[static_cast<std::size_t>(way)] = given;
    ready_.forget(way);
    return way;
  }

  bool withIndex() const { return problem_.combine == Combine::ArgMax; }

  /// Steps that are never taken as those of dense planes.
  DevicePlanes plain(DevicePlanes p, std::ptrdiff_t size, int planes) const {
    if (problem_.width == 1) p.pixel = size;
    if (problem_.height == 1) p.row = roundUp(problem_.width, 64) * size;
    if (planes == 1) p.plane = p.row * problem_.height;
    if (problem_.responseGroups() == 1) p.group = 0;
    return p;
  }

  /// Kernels read rows to the end of the last whole unit.
  bool takes(const DevicePlanes& image) const {
    return image.pixel == pixelBytes_ && image.row >= problem_.width * pixelBytes_ && image.plane > 0 &&
           problem_.width % kernel_->rowUnit() == 0 && isMultiple(image, kernel_->rowUnit() * pixelBytes_);
  }

  /// An odd width's last pair of results would reach beyond the row.
  bool takes(const DevicePlanes& results, const std::optional<DevicePlanes>& indices) const {
    if (results.pixel != valueBytes_ || results.row < problem_.width * valueBytes_ || results.plane < 0 ||
        !isMultiple(results, resultUnit) || problem_.width % 2 != 0)
      return false;
    return !indices || (indices->pixel == 2 && indices->row / 2 == results.row / valueBytes_);
  }

  [[noreturn]] void refuse(const char* what, std::ptrdiff_t unit) const {
    throw Error(ErrorCode::Unsupported,
                std::string(what) +
                    " are taken in place where pixels lie side by side and rows and planes "
                    "begin at multiples of " +
                    std::to_string(unit) + " bytes; a plan prepared for any strides copies others");
  }

  static void requirePixels(const DevicePlanes& p, std::ptrdiff_t size, const char* what) {
    if (isMultiple(p, size) && p.pixel % size == 0) return;
    throw Error(ErrorCode::BadInput, std::string(what) + " do not begin at multiples of their type's " +
                                         std::to_string(size) + " bytes");
  }

  void launch(const Planes& given, cudaStream_t stream) {
    const DevicePlanes image = plain(given.image, pixelBytes_, problem_.channels);
    const DevicePlanes results = plain(given.results, valueBytes_, planes_);
    std::optional<DevicePlanes> indices;
    if (given.indices.pixels != nullptr) indices = plain(given.indices, 2, 1);
    const bool copiesImage = !takes(image);
    if (copiesImage && ownImage_.pixels == nullptr)
      refuse("the pixels of this image", kernel_->rowUnit() * pixelBytes_);
    const bool copiesResults = !takes(results, indices);
    if (copiesResults && ownResults_.pixels == nullptr) refuse("these results", resultUnit);
    requirePixels(image, pixelBytes_, "the pixels of the image");
    requirePixels(results, valueBytes_, "the results");
    if (indices) requirePixels(*indices, 2, "the indices");

    run(image, copiesImage, results, indices, copiesResults, stream);
  }

  /// What is not copied lies as kernels take it.
  void run(const DevicePlanes& image, bool copiesImage, const DevicePlanes& results,
           const std::optional<DevicePlanes>& indices, bool copiesResults, cudaStream_t stream) {
    if (copiesImage) copy(image, ownImage_, problem_.channels, pixelBytes_, stream);
    const DevicePlanes& from = copiesImage ? ownImage_ : image;
    const DevicePlanes* places = copiesResults ? &ownIndices_ : indices ? &*indices : nullptr;
    startGroups(*kernel_, problem_, from, copiesResults ? ownResults_ : results,
                withIndex() ? places : nullptr, {1, from.plane * problem_.channels, 0}, stream);
    if (!copiesResults) return;
    copyGroups(ownResults_, results, planes_, valueBytes_, stream);
    if (indices) copyGroups(ownIndices_, *indices, 1, 2, stream);
  }

  void copy(const DevicePlanes& from, const DevicePlanes& to, int planes, std::ptrdiff_t size,
            cudaStream_t stream) const {
    startCopyPlanes(from, to, planes, problem_.height, problem_.width, static_cast<int>(size), stream);
  }

  void copyGroups(DevicePlanes from, DevicePlanes to, int planes, std::ptrdiff_t size,
                  cudaStream_t stream) const {
    for (int group = 0; group < problem_.responseGroups(); ++group) {
      copy(from, to, planes, size, stream);
      from.pixels = static_cast<std::byte*>(from.pixels) + from.group;
      to.pixels = static_cast<std::byte*>(to.pixels) + to.group;
    }
  }

  /// On zeros, into a row that all results share; where planes are copied an image is one pixel of memory.
  void warmUp() {
    const bool copiesImage = ownImage_.pixels != nullptr;
    const bool copiesResults = ownResults_.pixels != nullptr;
    const std::ptrdiff_t width = problem_.width * pixelBytes_;
    const std::ptrdiff_t plane = width * problem_.height;
    const DeviceBuffer zeros(static_cast<std::size_t>(copiesImage ? pixelBytes_ : plane * problem_.channels));
    const DeviceBuffer row(static_cast<std::size_t>(roundUp(problem_.width, 64)) * sizeof(float));
    const Stream stream;
    BANKSIDE_CUDA_CHECK(cudaMemsetAsync(zeros.data(), 0, zeros.bytes(), stream));
    const DevicePlanes pixel{zeros.data(), 0, 0, 0, 0};
    const DevicePlanes dense{zeros.data(), plane, width, pixelBytes_, 0};
    const DevicePlanes results{row.data(), 0, 0, copiesResults ? 0 : valueBytes_, 0};
    {
      const ReadyLaunches::Making making(ready_);
      run(copiesImage ? pixel : dense, copiesImage, results,
          withIndex() ? std::optional(results) : std::nullopt, copiesResults, stream);
    }
    stream.synchronize();
  }

  ConvolutionProblem problem_;
  int device_ = currentDevice();
  std::unique_ptr<BandKernel> kernel_;
  std::ptrdiff_t pixelBytes_;
  std::ptrdiff_t valueBytes_;
  int planes_;  ///< of a response group
  DeviceBuffer pixels_, values_, places_;
  DevicePlanes ownImage_, ownResults_, ownIndices_;  ///< in those, where there are any
  std::mutex starting_;
  ReadyLaunches ready_;
  std::array<Planes, ReadyLaunches::ways> asked_ = {};  ///< of the last call of each way
  int nextWay_ = 0;
  cudaStream_t lastStream_ = nullptr;  ///< that a call came with
};

}  // namespace

std::unique_ptr<DevicePlan> makeDevicePlan(const ConvolutionProblem& problem,
                                           std::unique_ptr<BandKernel> kernel, bool anySteps) {
  return std::make_unique<KernelPlan>(problem, std::move(kernel), anySteps);
}

}  // namespace bankside::cuda
