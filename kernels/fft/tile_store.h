/// A tile's results on their way from a thread's memory into planes.
#pragma once

#include "core/host_plan.h"
#include "kernels/fft/pixel_tile.h"
#include "kernels/highway/row_kernels.h"

namespace bankside::fft {

/// The part of a tile that a region wants, in image coordinates.
Region clip(const TileArea& area, const Region& region);

/// Whether results are so large that they go around the caches.
bool isLarge(const SinkBand& out);

class TileStore {
 public:
  /// `stride`: of results in memory, [rows][stride]. `raised`: as raised_taps.h has it.
  TileStore(const direct::RowKernels& kernels, std::size_t stride, int raised)
      : kernels_(kernels), stride_(stride), raised_(raised) {}

  /// The wanted part into a plane.
  void store(const SinkBand& out, std::size_t plane, const TileArea& area, const float* results) const;
  void storeIndex(const SinkBand& out, std::size_t plane, const TileArea& area,
                  const std::int32_t* index) const;

 private:
  const direct::RowKernels& kernels_;
  std::size_t stride_;
  int raised_;
};

}  // namespace bankside::fft
