#include "core/time_chart.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/chart.h"
#include "core/text.h"

namespace bankside {
namespace {

constexpr double micro = 1e6;

bool drawn(const DeviceRow& row) { return row.times && row.problem.filterWidth == row.problem.filterHeight; }

std::string panelTitle(const DeviceRow& row) {
  const ConvolutionProblem& p = row.problem;
  std::string text = std::to_string(p.width);
  text += p.width == p.height ? "\u00b2, " : " x " + std::to_string(p.height) + ", ";
  if (p.channels > 1) text += std::to_string(p.channels) + " channels, ";
  text += std::to_string(p.filterCount) + (p.filterCount == 1 ? " filter" : " filters");
  if (p.combine != Combine::None) text += std::string(", ") + toString(p.combine);
  if (p.dstType != ElementType::F32) text += std::string(", to ") + toString(p.dstType);
  return row.bank == "dense" ? text : text + ", " + row.bank;
}

std::string nameOf(const DeviceRow& row, bool severalTypes) {
  return severalTypes ? row.engine + " " + toString(row.problem.srcType) : row.engine;
}

/// Rows of one pair of axes, by filter size.
using Panel = std::vector<const DeviceRow*>;

ChartPanel panelOf(const std::string& title, const Panel& rows, const DeviceLimits& limits,
                   bool severalTypes) {
  ChartPanel panel{.title = title, .series = {}, .limits = {}};
  for (const DeviceRow* row : rows) {
    const std::string name = nameOf(*row, severalTypes);
    auto at = std::find_if(panel.series.begin(), panel.series.end(),
                           [&](const ChartSeries& s) { return s.name == name; });
    if (at == panel.series.end()) at = panel.series.insert(panel.series.end(), {name, {}});
    at->points.push_back({static_cast<double>(row->problem.filterWidth), row->times->cold.median * micro});
  }
  // Of rows that differ in their pixels the least.
  const auto limit = [&](const char* name, auto seconds) {
    std::map<int, double> least;
    for (const DeviceRow* row : rows) {
      const double s = seconds(*row) * micro;
      const auto [at, fresh] = least.emplace(row->problem.filterWidth, s);
      if (!fresh) at->second = std::min(at->second, s);
    }
    ChartSeries line{.name = name, .points = {}};
    for (const auto& [size, s] : least)
      if (s > 0) line.points.push_back({static_cast<double>(size), s});
    if (!line.points.empty()) panel.limits.push_back(std::move(line));
  };
  limit("f32 multiply-adds",
        [&](const DeviceRow& row) { return limits.fmaRate > 0 ? row.flops / limits.fmaRate : 0; });
  limit("memory", [](const DeviceRow& row) { return row.streamSeconds; });
  limit("mma.sync", [&](const DeviceRow& row) { return tensorSeconds(row.problem, row.flops, limits); });
  return panel;
}

}  // namespace

std::string timeChart(const DeviceReport& report) {
  std::vector<const DeviceRow*> rows;
  std::set<ElementType> types;
  for (const DeviceRow& row : report.rows) {
    if (!drawn(row)) continue;
    rows.push_back(&row);
    types.insert(row.problem.srcType);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const DeviceRow* a, const DeviceRow* b) {
    return a->problem.filterWidth < b->problem.filterWidth;
  });
  std::vector<std::pair<std::string, Panel>> panels;
  for (const DeviceRow& row : report.rows) {  // in the order in which problems were given
    const std::string title = panelTitle(row);
    const auto same = [&](const auto& panel) { return panel.first == title; };
    if (drawn(row) && std::none_of(panels.begin(), panels.end(), same)) panels.push_back({title, {}});
  }
  for (const DeviceRow* row : rows) {
    for (auto& [title, members] : panels)
      if (title == panelTitle(*row)) members.push_back(row);
  }
  std::string gpu;
  for (const auto& [key, value] : report.environment)
    if (key == "gpu") gpu = value + ", ";
  const DeviceLimits& l = report.limits;
  LineChart chart{.title = "Time over filter size",
                  .notes = {gpu + "medians, cold caches; limits measured in the same run: copy " +
                            formatFixed(l.copyRate / 1e9, 0) + " GB/s, f32 multiply-adds " +
                            formatFixed(l.fmaRate / 1e12, 1) + " TFLOP/s, mma.sync of halves " +
                            formatFixed(l.tensorRate / 1e12, 0) + " TFLOP/s"},
                  .xLabel = "filter size K (K x K taps)",
                  .yLabel = "microseconds",
                  .logX = true,
                  .logY = true,
                  .panels = {}};
  for (const auto& [title, members] : panels)
    chart.panels.push_back(panelOf(title, members, l, types.size() > 1));
  return toSvg(chart);
}

}  // namespace bankside
