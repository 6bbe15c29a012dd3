/// How fast a device copies and multiplies: what the planner scales its costs by.
///
/// Those of devices that costs were measured on are known by name. Others are measured once, within some
/// milliseconds, and kept in the user's cache folder, so that one device and driver get one choice of
/// engines.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "kernels/cuda/runtime/measure_limits.h"

namespace bankside::cuda {

struct DeviceRates {
  std::string device = "NVIDIA H200";
  MeasuredRates rates = {.copyBytes = 4.2e12, .multiplyAdds = 32.8e12};
  int multiprocessors = 132;
};

/// Of this device. Those of an H200 where nothing could be measured. Errors  Error{Device}
const DeviceRates& deviceRates();

/// `deviceRates` with a file and a measurement of the caller's. A file that cannot be read or written is
/// measured again. Two significant digits, so that a rate that varies is mostly the same.
DeviceRates ratesOf(const DeviceDescription& device, const std::filesystem::path& kept,
                    const std::function<MeasuredRates()>& measure);

}  // namespace bankside::cuda
