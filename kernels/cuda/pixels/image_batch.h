/// Images of one size that are computed together.
#pragma once

#include "core/host_device.h"
#include "kernels/cuda/pixels/kernel_arguments.h"

namespace bankside::cuda {

/// `images` of them; what is said of the source and the results of one holds of the next so many bytes on,
/// of the source a whole number of channels.
struct ImageBatch {
  int images = 1;
  std::ptrdiff_t sourceBytes = 0;
  std::ptrdiff_t resultBytes = 0;
};

/// The same results so many bytes on.
BANKSIDE_HOST_DEVICE inline ResultRows resultsAfter(ResultRows rows, std::ptrdiff_t bytes) {
  rows.pixels = static_cast<std::byte*>(rows.pixels) + bytes;
  if (rows.index != nullptr)
    rows.index = reinterpret_cast<std::uint16_t*>(reinterpret_cast<std::byte*>(rows.index) + bytes);
  return rows;
}

}  // namespace bankside::cuda
