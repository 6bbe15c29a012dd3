/// The design space of a device explored, for front ends that know no CUDA.
#pragma once

#include <filesystem>
#include <optional>

#include "kernels/cuda/tuning/device_bench.h"

namespace bankside {

/// The single-channel shapes that a tuner found, as the file they belong into.
struct TuningFile {
  std::string name;  ///< "nvidia-h200.json"
  std::string json;
};

/// Looks at the device's file in `folder`, which `tuneDevice` goes on from, and says which it is. Errors
/// Error{BadInput} if it is there and no tuning table; Error{Io} if it cannot be replaced
std::filesystem::path requireTuningFile(const std::filesystem::path& folder);

/// Judges and times every shape of the single-channel kernel and the likeliest layouts of the tensor cores on
/// every cell of one channel, every shape and split of the multichannel kernel on the others; a row each. Of
/// these engines only `options.engines`, if there are any. The single-channel kernel's fastest shapes are a
/// table; nothing where it was not measured. Cells that are not measured are kept from the device's file in
/// `folder`, or else from the table that this build uses. Errors  as runDeviceBench; Error{BadInput} if that
/// file is no tuning table, or where none of the engines has a cell
std::optional<TuningFile> tuneDevice(BenchReport& report, const std::vector<DeviceCell>& cells,
                                     const std::filesystem::path& folder, const DeviceBenchOptions& options,
                                     std::stop_token stop);

}  // namespace bankside
