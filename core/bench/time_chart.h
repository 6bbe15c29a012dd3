/// A device benchmark as time over filter size: one pair of axes for every size of image, number of filters
/// and combine, a line an engine and type of pixel, the floors drawn.
#pragma once

#include <string>

#include "core/bench/device_report.h"

namespace bankside {

/// Cold medians of the rows that have times, in microseconds, both axes logarithmic; SVG. Floors are those of
/// the report's limits: f32 multiply-adds, and one image read and all results written. Beside them what
/// `mma.sync` would take with the narrowest pixels among the rows (see `tensorSeconds`). Square filters only.
std::string timeChart(const DeviceReport& report);

}  // namespace bankside
