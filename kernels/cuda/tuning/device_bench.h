/// Benchmarks on the GPU as data, for front ends that know no CUDA. Nothing is timed that was not judged.
#pragma once

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
  int images = 1;                  ///< computed by one launch
  std::string values = "uniform";  ///< of the pixels, see pixelValues
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

/// Judges every engine on every cell, times those that are right in rounds that they share, judges them again
/// on other rows, and adds the rows of the report. An engine that refuses the cell's border runs on the first
/// of zero, wrapped and replicated ones that it takes: what it has is what it is compared with. Errors
/// Cancelled, with the rows so far in the report; Error{Device} if the device is lost
void runDeviceBench(BenchReport& report, const std::vector<DeviceCell>& cells,
                    const DeviceBenchOptions& options, std::stop_token stop);

}  // namespace bankside
