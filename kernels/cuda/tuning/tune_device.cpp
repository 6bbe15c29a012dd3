#include "kernels/cuda/tuning/tune_device.h"

#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "core/text_file.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/measure_limits.h"
#include "kernels/cuda/tuning/tune.h"

namespace bankside {
namespace {

/// Nothing where there is no such file.
std::optional<cuda::TuningTable> tableIn(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return std::nullopt;
  return cuda::readTuningTable(readTextFile(file), file.string());
}

}  // namespace

std::filesystem::path requireTuningFile(const std::filesystem::path& folder) {
  const cuda::CurrentDevice here;
  const std::filesystem::path file = folder / cuda::tuningFileName(cuda::describeDevice().name);
  requireWritableName(file);
  tableIn(file);
  return file;
}

std::optional<TuningFile> tuneDevice(BenchReport& report, const std::vector<DeviceCell>& cells,
                                     const std::filesystem::path& folder, const DeviceBenchOptions& options,
                                     std::stop_token stop) {
  const cuda::CurrentDevice here;
  const cuda::DeviceDescription device = cuda::describeDevice();
  const std::filesystem::path file = folder / cuda::tuningFileName(device.name);
  const cuda::TuningTable* known = cuda::tuningTableFor(device.name, device.multiprocessors);
  const std::optional<cuda::TuningTable> there = tableIn(file);
  if (there) known = &*there;
  std::vector<std::string> engines;
  for (const Engine* engine : options.engines) engines.push_back(engine->name());
  const cuda::TuningTable tuned = cuda::tune(report, cells, engines, options.progress, std::move(stop));
  if (report.rows.empty())
    throw Error(ErrorCode::BadInput, "none of these engines runs any of these cells on this device");
  if (tuned.entries.empty()) return std::nullopt;
  return TuningFile{cuda::tuningFileName(device.name), cuda::toJson(cuda::keepUntouched(tuned, known))};
}

}  // namespace bankside
