/// Where an image or its results lie in device memory. No CUDA.
#pragma once

#include <cstddef>

namespace bankside {

/// Planes; steps in bytes.
struct DevicePlanes {
  void* pixels = nullptr;    ///< of pixel [0][0][0]
  std::ptrdiff_t plane = 0;  ///< from one plane to the next
  std::ptrdiff_t row = 0;
  std::ptrdiff_t pixel = 0;
  std::ptrdiff_t group = 0;  ///< of results: from the first plane of a response group to that of the next

  bool operator==(const DevicePlanes&) const = default;
};

}  // namespace bankside
