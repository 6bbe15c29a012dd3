#include "core/bench/bench_chart.h"

#include <algorithm>
#include <set>

#include "core/bench/chart.h"
#include "core/text.h"

namespace bankside {
namespace {

/// All rows that differ in nothing but engine and filter size.
struct Facet {
  std::string title;
  std::vector<const BenchRow*> rows;
};

std::string facetTitle(const BenchRow& row) {
  const BenchCell& c = row.cell;
  std::string text = std::to_string(c.size) + "\u00b2 " + toString(c.type) + ", " +
                     std::to_string(c.filterCount) + (c.filterCount == 1 ? " filter, " : " filters, ") +
                     std::to_string(c.threads) + (c.threads == 1 ? " thread" : " threads");
  if (c.combine != Combine::None) text += std::string(", ") + toString(c.combine);
  if (c.bank != BankKind::Dense) text += ", " + row.bank;
  return text;
}

std::vector<Facet> facetsOf(const BenchReport& report) {
  std::vector<Facet> facets;
  for (const BenchRow& row : report.rows) {
    if (!row.endToEnd) continue;
    const std::string title = facetTitle(row);
    auto at = std::find_if(facets.begin(), facets.end(), [&](const Facet& f) { return f.title == title; });
    if (at == facets.end()) at = facets.insert(facets.end(), {title, {}});
    at->rows.push_back(&row);
  }
  return facets;
}

std::string nameOf(const BenchRow& row) {
  return row.source.empty() ? row.engine : row.engine + " (" + row.source + ")";
}

std::vector<std::string> notesOf(const BenchReport& report) {
  std::vector<std::string> notes(1);
  for (const auto& [name, value] : report.environment) {
    if (name == "processor") notes[0] = value + notes[0];
    if (name == "bankside" || name == "compiler" || name == "system")
      notes[0] += ", " + (name == "bankside" ? "bankside " + value : value);
  }
  for (const MachineLimits& l : report.limits) {
    notes.push_back("measured in the same run, " + std::to_string(l.threads) +
                    (l.threads == 1 ? " thread: " : " threads: ") + formatFixed(l.flops / 1e9, 0) +
                    " GFLOP/s of fused multiply-adds (" + l.target + "), " +
                    formatFixed(l.storeBytes / 1e9, 1) + " GB/s stored");
  }
  return notes;
}

ChartPanel panelOf(const Facet& facet) {
  ChartPanel panel{.title = facet.title, .series = {}, .limits = {}};
  ChartSeries fma{.name = "FMA limit", .points = {}};
  ChartSeries roof{.name = "with the store limit", .points = {}};
  std::vector<const BenchRow*> rows = facet.rows;
  std::stable_sort(rows.begin(), rows.end(), [](const BenchRow* a, const BenchRow* b) {
    return a->cell.filterSize < b->cell.filterSize;
  });
  for (const BenchRow* row : facet.rows) seriesOf(panel, nameOf(*row));  // in the order of the engines
  std::set<int> seen;
  for (const BenchRow* row : rows) {
    const double k = row->cell.filterSize;
    seriesOf(panel, nameOf(*row)).points.push_back({k, row->flopRate() / 1e9});
    if (row->flopsLimit <= 0 || row->floorSeconds <= 0 || !seen.insert(row->cell.filterSize).second) continue;
    fma.points.push_back({k, row->flopsLimit / 1e9});
    roof.points.push_back({k, row->flops / row->floorSeconds / 1e9});
  }
  const bool storeMatters = std::any_of(roof.points.begin(), roof.points.end(), [&](const ChartPoint& p) {
    return p.y < 0.97 * fma.points.front().y;
  });
  if (!fma.points.empty()) panel.limits.push_back(std::move(fma));
  if (storeMatters) panel.limits.push_back(std::move(roof));
  return panel;
}

BarChart barsOf(const BenchReport& report, const std::vector<Facet>& facets) {
  BarChart chart{.title = "Filter banks on the CPU",
                 .notes = notesOf(report),
                 .yLabel = "GFLOP/s of taps that are not zero",
                 .limitLabel = "limit: FMA and store rate",
                 .series = {},
                 .groups = {}};
  for (const Facet& facet : facets) {
    for (const BenchRow* row : facet.rows) {
      if (std::find(chart.series.begin(), chart.series.end(), nameOf(*row)) == chart.series.end())
        chart.series.push_back(nameOf(*row));
    }
  }
  for (const Facet& facet : facets) {
    BarGroup group{
        .label = facet.title, .values = std::vector<std::optional<double>>(chart.series.size()), .limit = {}};
    for (const BenchRow* row : facet.rows) {
      const auto at =
          std::find(chart.series.begin(), chart.series.end(), nameOf(*row)) - chart.series.begin();
      group.values[static_cast<std::size_t>(at)] = row->flopRate() / 1e9;
      if (row->floorSeconds > 0) group.limit = row->flops / row->floorSeconds / 1e9;
    }
    chart.groups.push_back(std::move(group));
  }
  return chart;
}

}  // namespace

std::string benchChart(const BenchReport& report) {
  const std::vector<Facet> facets = facetsOf(report);
  const bool lines = facets.empty() || std::any_of(facets.begin(), facets.end(), [](const Facet& f) {
                       return std::any_of(f.rows.begin(), f.rows.end(), [&](const BenchRow* row) {
                         return row->cell.filterSize != f.rows.front()->cell.filterSize;
                       });
                     });
  if (!lines) return toSvg(barsOf(report, facets));
  LineChart chart{.title = "Filter banks on the CPU: speed over filter size",
                  .notes = notesOf(report),
                  .xLabel = "filter size K (K x K taps)",
                  .yLabel = "GFLOP/s of taps that are not zero",
                  .logX = true,
                  .logY = true,
                  .panels = {}};
  for (const Facet& facet : facets) chart.panels.push_back(panelOf(facet));
  return toSvg(chart);
}

}  // namespace bankside
