/// A benchmark as a picture.
#pragma once

#include <string>

#include "core/bench/bench_report.h"

namespace bankside {

/// Speed (GFLOP/s of taps that are not zero) over the filter size, one line an engine, a panel for each size,
/// filter count, type, thread count, combine and bank; the FMA limit and what the store limit leaves of it
/// are drawn. Where no panel has two filter sizes, bars in groups with the limit across. SVG.
std::string benchChart(const BenchReport& report);

}  // namespace bankside
