/// Benchmarks on the GPU as data, for front ends that know no CUDA. Nothing is timed that was not judged.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/bench/bench_report.h"
#include "core/engine.h"

namespace bankside {

/// One problem with its bank.
struct DeviceCell {
  ConvolutionProblem problem;
  FilterBank bank;
  std::string bankName = "dense";
  int images = 1;  ///< computed by one launch
};

struct DeviceBenchOptions {
  std::vector<const Engine*> engines;
  bool sustained = false;  ///< also times without rests, Phase::Sustained
  /// After every row: what it is, and the share of the rows that are done.
  std::function<void(const BenchRow&, double share)> progress;
};

/// Whether the engine has passes that can be timed on the device.
bool runsOnDevice(const Engine& engine);

/// Whether there is a device to measure on.
Support deviceBenchAvailable();

/// Adds the device's limits, and what it is to the environment. Errors  Error{Unsupported} without a device;
/// Error{Device}
void measureDevice(BenchReport& report);

/// Judges and times every engine on every cell and adds the rows. An engine that refuses the cell's border
/// runs on the first of zero, wrapped and replicated ones that it takes: what it has is what it is compared
/// with.
/// Errors  Cancelled, with the rows so far in the report; Error{Device} if the device is lost
void runDeviceBench(BenchReport& report, const std::vector<DeviceCell>& cells,
                    const DeviceBenchOptions& options, std::stop_token stop);

/// Adds the paper's claims about the general case: its formulas beside the tiles as they are and, where
/// `counters` is not empty, beside what a profiler counted (that folder's k3.csv, k5.csv and k7.csv, see
/// readCounters); both ways of writing back, matched and unmatched units, and the averages of the report's
/// rows. Errors  as runDeviceBench; Error{Io}, Error{BadInput} for the counters
void runPaperClaims(BenchReport& report, const std::filesystem::path& counters, std::stop_token stop);

/// Fills the environment and `report.widths`. Errors  as runDeviceBench
void runBankWidth(BenchReport& report, std::stop_token stop);

/// What a tuner found, as the file it belongs into.
struct TuningFile {
  std::string name;  ///< "nvidia-h200.json"
  std::string json;
};

/// Judges and times every shape of the single-channel kernel and the likeliest layouts of the tensor cores on
/// every cell of one channel, every shape and split of the multichannel kernel on the others; a row each. Of
/// these engines only `options.engines`, if there are any. Cells that are not measured are kept from the
/// device's file in `folder`, or else from the table that this build uses. Errors  as runDeviceBench;
/// Error{BadInput} if that file is no tuning table, or where none of the engines has a cell
TuningFile tuneDevice(BenchReport& report, const std::vector<DeviceCell>& cells,
                      const std::filesystem::path& folder, const DeviceBenchOptions& options,
                      std::stop_token stop);

}  // namespace bankside
