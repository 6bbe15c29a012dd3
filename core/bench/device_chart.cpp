#include "core/bench/device_chart.h"

#include <algorithm>
#include <set>

#include "core/bench/chart.h"
#include "core/text.h"

namespace bankside {
namespace {

std::string groupLabel(const DeviceRow& row) {
  const ConvolutionProblem& p = row.problem;
  std::string text = std::to_string(p.width) + ", ";
  if (p.channels > 1) text += std::to_string(p.channels) + ", ";
  text += std::to_string(p.filterCount);
  if (p.srcType != ElementType::F32 || p.dstType != ElementType::F32)
    text += std::string(" ") + toString(p.srcType) + ":" + toString(p.dstType);
  if (p.combine != Combine::None) text += std::string(" ") + toString(p.combine);
  return row.bank == "dense" ? text : text + " " + row.bank;
}

bool severalChannels(const DeviceReport& report) {
  return std::any_of(report.rows.begin(), report.rows.end(),
                     [](const DeviceRow& row) { return row.problem.channels > 1; });
}

std::vector<std::string> notesFor(const DeviceReport& report, int size) {
  const bool several = severalChannels(report);
  std::vector<std::string> notes = {
      valueOf(report.environment, "gpu") + ", bankside " + valueOf(report.environment, "bankside") +
          ", medians, cold caches; groups are N, " + (several ? "C, F" : "F"),
      "copy " + formatFixed(report.limits.copyRate / 1e9, 0) + " GB/s, f32 multiply-adds " +
          formatFixed(report.limits.fmaRate / 1e12, 1) + " TFLOP/s, measured in the same run"};
  if (report.rows.empty()) return notes;
  for (const PeerRatio& r : peerRatios(report.rows, report.rows.front().engine)) {
    if (r.filterSize != size || r.engine != report.paperPeer) continue;
    std::string text = "times faster than " + r.engine + ", mean of " + std::to_string(r.cells) +
                       " cells: " + formatFixed(r.arithmeticMean, 2);
    if (const double published = paperRatio(size, several); published > 0)
      text += "; the paper on its own grid, Kepler K40m: " + formatFixed(published, several ? 3 : 2);
    notes.push_back(text);
  }
  return notes;
}

}  // namespace

double paperRatio(int filterSize, bool several) {
  if (several) return filterSize == 3 ? 1.305 : filterSize == 5 ? 1.453 : filterSize == 7 ? 1.308 : 0;
  switch (filterSize) {
    case 1: return 6.16;
    case 3: return 6.43;
    case 5: return 2.90;
    default: return 0;
  }
}

std::vector<FilterSizeChart> filterSizeCharts(const DeviceReport& report) {
  std::set<int> sizes;
  for (const DeviceRow& row : report.rows)
    if (row.times) sizes.insert(row.problem.filterWidth);
  std::vector<FilterSizeChart> charts;
  for (const int size : sizes) {
    const std::string side = std::to_string(size);
    BarChart chart{.title = (severalChannels(report) ? "General case (several channels), "
                                                     : "Special case (one channel), ") +
                            side + " x " + side + " filters",
                   .notes = notesFor(report, size),
                   .yLabel = "GFLOP/s of taps that are not zero",
                   .limitLabel = "roofline: copy and FMA rate",
                   .series = {},
                   .groups = {}};
    std::vector<const DeviceRow*> rows;
    for (const DeviceRow& row : report.rows)
      if (row.times && row.problem.filterWidth == size) rows.push_back(&row);
    for (const DeviceRow* row : rows) {
      if (std::find(chart.series.begin(), chart.series.end(), row->engine) == chart.series.end())
        chart.series.push_back(row->engine);
    }
    for (const DeviceRow* row : rows) {
      const std::string label = groupLabel(*row);
      auto group = std::find_if(chart.groups.begin(), chart.groups.end(),
                                [&](const BarGroup& g) { return g.label == label; });
      if (group == chart.groups.end()) {
        group = chart.groups.insert(chart.groups.end(),
                                    {label, std::vector<std::optional<double>>(chart.series.size()), {}});
      }
      const auto at = std::find(chart.series.begin(), chart.series.end(), row->engine) - chart.series.begin();
      group->values[static_cast<std::size_t>(at)] = row->flops / row->times->cold.median / 1e9;
      if (row->floor.seconds > 0) group->limit = row->flops / row->floor.seconds / 1e9;
    }
    charts.push_back({size, toSvg(chart)});
  }
  return charts;
}

}  // namespace bankside
