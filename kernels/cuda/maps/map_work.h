/// What operations on the device work with: a stream, memory, the field of view, and numbers that the host
/// has reckoned for them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/maps/field_parts.h"
#include "core/maps/map_maker.h"
#include "kernels/cuda/maps/device_plane.h"
#include "kernels/cuda/maps/memory_pool.h"
#include "kernels/cuda/maps/pixel_kernels.h"
#include "kernels/cuda/maps/plane_kernels.h"
#include "kernels/cuda/runtime/stream.h"

namespace bankside::cuda {

class MapWork {
 public:
  /// Another image follows, with a field of view of its own. What earlier ones needed and nobody asked for is
  /// dropped once it is too much.
  void begin();

  /// Side by side in one piece of memory. Errors  as MemoryPool::take, as below
  DeviceMaps make(const Extent& extent, std::size_t count);
  DeviceMaps likeFirst(const DeviceMaps& maps, std::size_t count);
  /// The maps one after another in memory, as banks take them: copied, where they are not.
  DeviceMaps sideBySide(const DeviceMaps& maps);
  std::shared_ptr<const DeviceBuffer> take(std::size_t bytes) { return pool_.take(bytes); }

  /// Through pinned memory; done when they return.
  void put(const PlaneView<const float>& from, const PlaneView<float>& to);
  void bring(const PlaneView<float>& from, const PlaneView<float>& to);
  void copy(float* to, std::ptrdiff_t toStride, const float* from, std::ptrdiff_t fromStride,
            const Extent& extent, cudaMemcpyKind kind) const;
  /// Pinned memory that so many bytes may arrive in, until it is asked for again.
  std::byte* arrivals(std::size_t bytes);
  /// Of the stream's work so far, to such memory; there once `waitForArrivals` returns, which does not wait
  /// for what was started since. Units  bytes
  void startBringing(std::byte* to, const void* from, std::size_t bytes);
  void waitForArrivals() const;

  /// Where the field is at that size; no data: everywhere.
  PlaneView<const std::uint8_t> field(OperationContext& context, int height, int width);
  /// It was found in maps of that size: a span a row.
  void putField(const std::vector<RowSpan>& spans, int height, int width);

  /// What `reckon` gives, in device memory from then on; by a name that says what it is. Kept: there are few.
  template <class T>
  const T* kept(const std::string& name, const std::function<std::vector<T>()>& reckon) {
    DeviceBuffer& buffer = kept_[name];
    if (buffer.data() == nullptr) {
      const std::vector<T> numbers = reckon();
      putNow(buffer, numbers.data(), numbers.size() * sizeof(T));
    }
    return reinterpret_cast<const T*>(buffer.data());
  }
  DeviceShares shares(int from, int to);

  /// Numbers of the host, there when it returns.
  void putNow(DeviceBuffer& buffer, const void* from, std::size_t bytes) const;

  const Stream& stream() const { return stream_; }

 private:
  /// Calls use(first row, rows) for as many rows of a plane at a time as the pinned memory holds.
  template <class Use>
  void inParts(const Extent& extent, const Use& use);
  /// Of pixels along an axis, in device memory.
  const int* underMiddles(int from, int to);
  float* pinned() const { return reinterpret_cast<float*>(pinned_.data()); }

  Stream stream_;
  PinnedBuffer pinned_;
  PinnedBuffer arrivals_;
  Event arrived_;
  PinnedBuffer spans_;
  MemoryPool pool_;
  std::shared_ptr<const DeviceBuffer> mask_;  ///< the field as it was given or found
  std::map<std::pair<int, int>, std::shared_ptr<const DeviceBuffer>> fields_;  ///< by height and width
  std::map<std::string, DeviceBuffer> kept_;
};

Planes pixelsOf(const DeviceMaps& maps);

}  // namespace bankside::cuda
