/// What a machine can do at most, as measured: the floor under every time.
#pragma once

#include <string>

namespace bankside {

/// Rates per second of all the threads together, each the best of several tries.
struct MachineLimits {
  int threads = 1;        ///< 0: an accelerator
  std::string target;     ///< SIMD target that reached them
  double flops = 0;       ///< fused multiply-adds in f32 registers, two operations each
  double storeBytes = 0;  ///< writing planes around the caches
  double copyBytes = 0;   ///< reading one plane and writing another so, bytes read and written
};

}  // namespace bankside
