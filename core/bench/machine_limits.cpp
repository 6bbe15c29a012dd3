#include "core/bench/machine_limits.h"

#include <algorithm>
#include <cstdlib>

#include "core/text.h"

namespace bankside {
namespace {

std::string acceleratorText(const MachineLimits& l) {
  std::string text = "copy " + formatFixed(l.copyBytes / 1e9, 0) + " GB/s\nf32 multiply-adds " +
                     formatFixed(l.flops / 1e12, 2) + " TFLOP/s, mma.sync of halves " +
                     formatFixed(l.tensorFlops / 1e12, 0) + " TFLOP/s\nlaunch " +
                     formatFixed(l.launchSeconds * 1e6, 2) + " us, in a graph " +
                     formatFixed(l.graphLaunchSeconds * 1e6, 2) + " us\n";
  for (const MachineLimits::Stream& s : l.streams) {
    text += "one image read, " + std::to_string(s.planes) + " written: " + formatFixed(s.bytes / 1e9, 0) +
            " GB/s (" + s.order + "), " + formatFixed(s.bytes / l.copyBytes, 2) + " of the copy rate\n";
  }
  return text;
}

}  // namespace

const MachineLimits* findLimits(const std::vector<MachineLimits>& limits, int threads) {
  const auto at = std::find_if(limits.begin(), limits.end(),
                               [&](const MachineLimits& l) { return l.threads == threads; });
  return at == limits.end() ? nullptr : &*at;
}

Floor floorOf(double bytes, double byteRate, double flops, const MachineLimits& limits) {
  if (byteRate <= 0 || limits.flops <= 0) return {};
  const double memory = bytes / byteRate;
  const double fma = flops / limits.flops;
  return memory > fma ? Floor{memory, "memory"} : Floor{fma, "fma"};
}

double streamSeconds(const ConvolutionProblem& problem, const MachineLimits& limits) {
  if (limits.streams.empty()) return 0;
  const int planes = problem.combine == Combine::None ? problem.filterCount : 1;
  const MachineLimits::Stream* best = &limits.streams.front();
  for (const MachineLimits::Stream& s : limits.streams) {
    if (std::abs(s.planes - planes) < std::abs(best->planes - planes)) best = &s;
  }
  return problem.minBytes() / best->bytes;
}

std::string limitsText(const std::vector<MachineLimits>& limits) {
  std::string text;
  for (const MachineLimits& l : limits) {
    if (l.threads == 0) {
      text += acceleratorText(l);
      continue;
    }
    text += "limits, " + std::to_string(l.threads) + (l.threads == 1 ? " thread: " : " threads: ") +
            formatSignificant(l.flops / 1e9) + " GFLOP/s of fused multiply-adds (" + l.target + "), " +
            formatSignificant(l.storeBytes / 1e9) + " GB/s stored, " + formatSignificant(l.copyBytes / 1e9) +
            " GB/s copied\n";
  }
  return text;
}

}  // namespace bankside
