/// What the device allows: the rates that every kernel time is held against, measured in the same run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/measure.h"

namespace bankside::cuda {

/// Rates in bytes or operations a second, counting bytes read and written; times in seconds.
struct DeviceLimits {
  double copyRate = 0;            ///< device to device copy of 1 GiB
  double fmaRate = 0;             ///< f32 fused multiply-adds, two operations each
  double launchSeconds = 0;       ///< an empty kernel, back to back in a stream
  double graphLaunchSeconds = 0;  ///< the same inside a CUDA graph
  /// One image read, `planes` planes written, no arithmetic: the best order and rows a thread found.
  struct Stream {
    int planes = 1;
    double rate = 0;
    std::string order;
  };
  std::vector<Stream> streams;
};

/// What the device is, for reports: "NVIDIA H200", multiprocessors, bytes of L2, CUDA versions.
struct DeviceDescription {
  std::string name;
  int multiprocessors = 0;
  std::size_t l2Bytes = 0;
  std::string runtime;
  std::string driver;
};
DeviceDescription describeDevice();

/// Errors  Error{Device}, Error{Limit}; the engines must be available
DeviceLimits measureLimits();

/// Seconds of one call of `launch(i, stream)`, which starts work on the i-th set of buffers: a CUDA graph of
/// `calls` launches over `sets` sets in turn, replayed until the samples do. Units  seconds
Interval timeLaunches(const std::function<void(int set, void* stream)>& launch, int sets, int calls);

}  // namespace bankside::cuda
