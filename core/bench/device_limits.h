/// What an accelerator allows, measured in the same run as the times that are held against it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/problem.h"

namespace bankside {

/// Rates in bytes or operations a second, counting bytes read and written; times in seconds. 0: not known.
struct DeviceLimits {
  double copyRate = 0;            ///< device to device copy of 1 GiB
  double fmaRate = 0;             ///< f32 fused multiply-adds, two operations each
  double tensorRate = 0;          ///< products of halves added to f32 (mma.sync), two operations each
  double launchSeconds = 0;       ///< an empty kernel, back to back in a stream
  double graphLaunchSeconds = 0;  ///< the same inside a graph
  /// One image read, `planes` planes written, no arithmetic: the best order and rows a thread found.
  struct Stream {
    int planes = 1;
    double rate = 0;
    std::string order;
  };
  std::vector<Stream> streams;
};

/// What the device is: "NVIDIA H200", multiprocessors, bytes of L2, CUDA versions of runtime and driver.
struct DeviceDescription {
  std::string name;
  int multiprocessors = 0;
  std::size_t l2Bytes = 0;
  std::string runtime;
  std::string driver;
};

/// The least time that the limits leave, and which of them it is: "memory" or "fma".
struct DeviceFloor {
  double seconds = 0;
  std::string bound;
};

/// `flops` are those of taps that are not zero. Nothing without limits.
DeviceFloor floorOf(const ConvolutionProblem& problem, double flops, const DeviceLimits& limits);

/// The time of one-read-F-written without arithmetic at the rate of the nearest number of planes measured; 0
/// without limits.
double streamSeconds(const ConvolutionProblem& problem, const DeviceLimits& limits);

/// What `flops` in f32 accuracy take at `tensorRate`: a tap is two halves, pixels of 8 bits and halves are
/// one, others two. No floor: Hopper's `wgmma` goes past `mma.sync`. 0 without limits.
double tensorSeconds(const ConvolutionProblem& problem, double flops, const DeviceLimits& limits);

}  // namespace bankside
