/// The GPUs that this process sees: which there are, and which of them engines use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine.h"
#include "core/image_memory.h"
#include "core/text.h"

namespace bankside {

/// The number of "cuda:1"; nothing for another text.
inline std::optional<int> deviceNumber(std::string_view name) {
  if (!name.starts_with("cuda:") || name.find_first_not_of("0123456789", 5) != std::string_view::npos)
    return std::nullopt;
  const auto number = parseInteger(name.substr(5));
  return number && *number <= 9999 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

struct DeviceLine {
  std::string name;  ///< "cuda:0": numbered as the process sees them
  std::string what;  ///< "NVIDIA H100 80GB HBM3, compute capability 9.0"
  Support use;       ///< whether images are spread over it; if not, one sentence
};
/// None in a build without nvcc, or without a driver. Sets all of them up.
std::vector<DeviceLine> describeDevices();

/// Whether there are any, of which nothing is known yet. Sets none up.
bool seesDevices();

/// Engines work on these from now on, in that order; all are in use where nobody calls. Where they are of
/// different kinds, those of the first one's kind are in use. Sets none up. Errors  Error{BadInput} for one
/// that is not there or is named twice; Error{Unsupported} where there are none
void useDevices(const std::vector<int>& devices);

/// Sets up those that were named, and says in the log which of them are not in use. Errors
/// Error{Unsupported} for one that cannot be used, and was not lost: that one was ready
void requireNamedDevices();

/// Whether a device that was in use was lost.
bool lostDevices();

/// Memory that devices read and write by themselves: the pixels of images in it (ImagesIn) are copied by no
/// thread. For images that come again and again, as it is slow to get. Null without a device.
ImageMemory* pinnedImages();

/// What plans and such images have of it. Units  bytes
std::int64_t pinnedBytes();
/// Of it what no image lies in now: who counts images has counted the rest.
std::int64_t pinnedBesideImages();

}  // namespace bankside
