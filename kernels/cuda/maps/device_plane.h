/// Maps in device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/maps/map_maker.h"
#include "core/plane_view.h"
#include "kernels/cuda/pixels/tile_math.h"
#include "kernels/cuda/runtime/device_buffer.h"

namespace bankside::cuda {

/// Rows begin at multiples of so many pixels: whole vectors of every kernel and every engine.
inline constexpr int mapRowUnit = 64;

constexpr std::ptrdiff_t mapStride(int width) { return roundUp(width, mapRowUnit); }

/// One map: a plane of a piece of memory that several may share.
class DevicePlane final : public DeviceMap {
 public:
  DevicePlane(std::shared_ptr<const DeviceBuffer> memory, const PlaneView<float>& pixels)
      : memory_(std::move(memory)), pixels_(pixels) {}
  const PlaneView<float>& pixels() const { return pixels_; }
  const DeviceBuffer* memory() const { return memory_.get(); }

 private:
  std::shared_ptr<const DeviceBuffer> memory_;
  PlaneView<float> pixels_;
};

inline const PlaneView<float>& pixelsOf(const std::shared_ptr<DeviceMap>& map) {
  return static_cast<const DevicePlane&>(*map).pixels();
}

}  // namespace bankside::cuda
