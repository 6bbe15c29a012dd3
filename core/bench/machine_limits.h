/// What a machine can do at most, measured in the same run as the times that are held against it.
#pragma once

#include <string>
#include <vector>

#include "core/problem.h"

namespace bankside {

/// Rates a second of a processor's threads together or of an accelerator, each the best of several tries.
/// 0: not known.
struct MachineLimits {
  int threads = 1;                ///< 0: an accelerator
  std::string target;             ///< SIMD target that reached them
  double flops = 0;               ///< f32 fused multiply-adds in registers, two operations each
  double storeBytes = 0;          ///< writing planes around the caches
  double copyBytes = 0;           ///< reading one plane and writing another so, bytes read and written
  double tensorFlops = 0;         ///< products of halves added to f32 (mma.sync), two operations each
  double launchSeconds = 0;       ///< an empty kernel, back to back in a stream
  double graphLaunchSeconds = 0;  ///< the same inside a graph
  /// One image read, `planes` planes written, no arithmetic: the best order and rows a thread found.
  struct Stream {
    int planes = 1;
    double bytes = 0;  ///< a second, read and written
    std::string order;
  };
  std::vector<Stream> streams = {};
};

/// Those of so many threads (0: of the accelerator), or null.
const MachineLimits* findLimits(const std::vector<MachineLimits>& limits, int threads);

/// The least time that the limits leave, and which of them it is: "memory" or "fma". Units  seconds
struct Floor {
  double seconds = 0;
  std::string bound;
};

/// The longer of moving `bytes` at `byteRate` and doing `flops` at `limits.flops`; nothing where one is not
/// known.
Floor floorOf(double bytes, double byteRate, double flops, const MachineLimits& limits);

/// The time of one-read-F-written without arithmetic at the rate of the nearest number of planes measured; 0
/// without limits.
double streamSeconds(const ConvolutionProblem& problem, const MachineLimits& limits);

/// One line a limit, for a person.
std::string limitsText(const std::vector<MachineLimits>& limits);

}  // namespace bankside
