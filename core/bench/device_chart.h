/// A device benchmark as bar charts shaped like Figs. 7 and 8 of Chen et al., DAC 2017: one chart a filter
/// size, groups of image size, channels and filter count, a bar for each engine, the roofline drawn across
/// the group.
#pragma once

#include <string>
#include <vector>

#include "core/bench/device_report.h"

namespace bankside {

/// What the paper reports for its own kernels over cuDNN on a Kepler K40m: 6.16, 6.43, 2.90 for K = 1, 3, 5
/// (its Fig. 7, one channel), 1.305, 1.453, 1.308 for K = 3, 5, 7 (its Fig. 8, several); 0 for any other
/// size.
double paperRatio(int filterSize, bool severalChannels);

struct FilterSizeChart {
  int filterSize = 1;
  std::string svg;
};

/// One chart for every filter size among the rows, in GFLOP/s of taps that are not zero.
std::vector<FilterSizeChart> filterSizeCharts(const DeviceReport& report);

}  // namespace bankside
