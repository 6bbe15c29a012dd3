#include "core/bench/time_chart.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/bench/chart.h"
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
  std::string name = severalTypes ? row.engine + " " + toString(row.problem.srcType) : row.engine;
  return row.images > 1 ? name + ", " + std::to_string(row.images) + " images" : name;
}

/// Rows of one pair of axes.
struct Group {
  std::string title;
  std::vector<const DeviceRow*> rows;
};

std::vector<Group> groupsOf(const DeviceReport& report) {
  std::vector<Group> groups;
  for (const DeviceRow& row : report.rows) {
    if (!drawn(row)) continue;
    const std::string title = panelTitle(row);
    auto at = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.title == title; });
    if (at == groups.end()) at = groups.insert(groups.end(), {title, {}});
    at->rows.push_back(&row);
  }
  return groups;
}

ChartPanel panelOf(Group group, const DeviceLimits& limits, bool severalTypes) {
  std::vector<const DeviceRow*>& rows = group.rows;
  std::stable_sort(rows.begin(), rows.end(), [](const DeviceRow* a, const DeviceRow* b) {
    return a->problem.filterWidth < b->problem.filterWidth;
  });
  ChartPanel panel{.title = std::move(group.title), .series = {}, .limits = {}};
  for (const DeviceRow* row : rows)
    seriesOf(panel, nameOf(*row, severalTypes))
        .points.push_back({static_cast<double>(row->problem.filterWidth), row->times->cold.median * micro});
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
  std::set<ElementType> types;
  for (const DeviceRow& row : report.rows)
    if (drawn(row)) types.insert(row.problem.srcType);
  const DeviceLimits& l = report.limits;
  LineChart chart{.title = "Time over filter size",
                  .notes = {valueOf(report.environment, "gpu") +
                            ", medians, cold caches; limits measured in the same run: copy " +
                            formatFixed(l.copyRate / 1e9, 0) + " GB/s, f32 multiply-adds " +
                            formatFixed(l.fmaRate / 1e12, 1) + " TFLOP/s, mma.sync of halves " +
                            formatFixed(l.tensorRate / 1e12, 0) + " TFLOP/s"},
                  .xLabel = "filter size K (K x K taps)",
                  .yLabel = "microseconds",
                  .logX = true,
                  .logY = true,
                  .panels = {}};
  for (Group& group : groupsOf(report))
    chart.panels.push_back(panelOf(std::move(group), l, types.size() > 1));
  return toSvg(chart);
}

}  // namespace bankside
