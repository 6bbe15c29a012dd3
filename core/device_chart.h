/// A device benchmark as bar charts shaped like Fig. 7 of Chen et al., DAC 2017: one chart a filter size,
/// groups of image size and filter count, a bar for each engine, the roofline drawn across the group.
#pragma once

#include <string>
#include <vector>

#include "core/device_report.h"

namespace bankside {

/// What the paper reports for its own kernel over cuDNN on a Kepler K40m (its Fig. 7): 6.16, 6.43, 2.90 for
/// K = 1, 3, 5; 0 for any other size.
double paperRatio(int filterSize);

struct FilterSizeChart {
  int filterSize = 1;
  std::string svg;
};

/// One chart for every filter size among the rows, in GFLOP/s of taps that are not zero.
std::vector<FilterSizeChart> figure7Charts(const DeviceReport& report);

}  // namespace bankside
