#include "kernels/cuda/tuning/tune_device.h"

#include "core/error.h"
#include "core/text_file.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/measure_limits.h"
#include "kernels/cuda/tuning/tune.h"

namespace bankside {

std::optional<TuningFile> tuneDevice(BenchReport& report, const std::vector<DeviceCell>& cells,
                                     const std::filesystem::path& folder, const DeviceBenchOptions& options,
                                     std::stop_token stop) {
  const cuda::CurrentDevice here;
  const cuda::DeviceDescription device = cuda::describeDevice();
  const std::filesystem::path file = folder / cuda::tuningFileName(device.name);
  const cuda::TuningTable* known = cuda::tuningTableFor(device.name, device.multiprocessors);
  cuda::TuningTable there;
  if (std::error_code none; std::filesystem::exists(file, none)) {
    there = cuda::readTuningTable(readTextFile(file), file.string());
    known = &there;
  }
  std::vector<std::string> engines;
  for (const Engine* engine : options.engines) engines.push_back(engine->name());
  const cuda::TuningTable tuned = cuda::tune(report, cells, engines, options.progress, std::move(stop));
  if (report.rows.empty())
    throw Error(ErrorCode::BadInput, "none of these engines runs any of these cells on this device");
  if (tuned.entries.empty()) return std::nullopt;
  return TuningFile{cuda::tuningFileName(device.name), cuda::toJson(cuda::keepUntouched(tuned, known))};
}

}  // namespace bankside
