#include "core/bench/device_limits.h"

#include <cstdlib>

namespace bankside {

DeviceFloor floorOf(const ConvolutionProblem& problem, double flops, const DeviceLimits& limits) {
  if (limits.copyRate <= 0 || limits.fmaRate <= 0) return {};
  const double memory = problem.minBytes() / limits.copyRate;
  const double fma = flops / limits.fmaRate;
  return memory > fma ? DeviceFloor{memory, "memory"} : DeviceFloor{fma, "fma"};
}

double streamSeconds(const ConvolutionProblem& problem, const DeviceLimits& limits) {
  if (limits.streams.empty()) return 0;
  const int planes = problem.combine == Combine::None ? problem.filterCount : 1;
  const DeviceLimits::Stream* best = &limits.streams.front();
  for (const auto& s : limits.streams) {
    if (std::abs(s.planes - planes) < std::abs(best->planes - planes)) best = &s;
  }
  return problem.minBytes() / best->rate;
}

double tensorSeconds(const ConvolutionProblem& problem, double flops, const DeviceLimits& limits) {
  if (limits.tensorRate <= 0) return 0;
  const bool oneHalf = problem.srcType == ElementType::U8 || problem.srcType == ElementType::F16;
  return flops * (oneHalf ? 2 : 4) / limits.tensorRate;
}

}  // namespace bankside
