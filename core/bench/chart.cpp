#include "core/bench/chart.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "core/bench/chart_axis.h"
#include "core/bench/svg.h"
#include "core/text.h"

namespace bankside {
namespace {

/// Okabe and Ito's palette without its yellow, which white swallows; two more for charts of many series.
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                   "#56b4e9", "#444444", "#6a3d9a", "#8b5a2b"};
constexpr int colourCount = static_cast<int>(std::size(colours));
constexpr const char* dark = "fill=\"#222222\"";
constexpr const char* soft = "fill=\"#666666\"";
/// Of text over lines, behind its colour.
constexpr const char* onWhite = " stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"";
constexpr const char* bold = "fill=\"#222222\" font-weight=\"bold\"";
constexpr const char* gridLine = "stroke=\"#e6e6e6\" stroke-width=\"1\"";
constexpr const char* axisLine = "stroke=\"#999999\" stroke-width=\"1\"";
constexpr const char* limitLine = "stroke=\"#333333\" stroke-width=\"1.4\" stroke-dasharray=\"7 4\"";
constexpr double left = 68;
constexpr double edge = 22;

std::string colourStyle(int index, double width) {
  return std::string("stroke=\"") + colours[index % colourCount] + "\" stroke-width=\"" +
         formatFixed(width, 1) + "\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";
}

std::string tickText(double value) {
  if (value != 0 && (std::fabs(value) < 0.01 || std::fabs(value) >= 1e6))
    return formatNumber(static_cast<float>(value));
  return formatNumber(std::round(value * 1e4) / 1e4);
}

/// Title and small print; returns where the next thing may begin.
double drawHead(Svg& svg, const std::string& title, const std::vector<std::string>& notes) {
  svg.text(edge, 34, title, 19, "start", bold);
  double y = 54;
  for (const std::string& note : notes) {
    svg.text(edge, y, note, 11.5, "start", soft);
    y += 16;
  }
  return y;
}

/// One entry a series, wrapped at `width`. Returns where the next thing may begin; draws only with an `svg`.
double drawLegend(Svg* svg, const std::vector<std::string>& names, double top, double width, bool bars,
                  const std::string& limit) {
  double x = edge;
  double y = top + 16;
  const auto place = [&](const std::string& name, const auto& drawSign) {
    const double needed = 40 + textWidth(name, 12.5) + 16;
    if (x > edge && x + needed > width - edge) {
      x = edge;
      y += 21;
    }
    if (svg != nullptr) {
      drawSign(x, y - 4);
      svg->text(x + 36, y, name, 12.5, "start", dark);
    }
    x += needed;
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const int index = static_cast<int>(i);
    place(names[i], [&](double at, double middle) {
      if (bars) {
        svg->rectangle(at + 14, middle - 6, 14, 12,
                       std::string("fill=\"") + colours[index % colourCount] + "\"");
      } else {
        svg->line(at, middle, at + 28, middle, colourStyle(index, 2.2));
        svg->marker(index, at + 14, middle, 4, colours[index % colourCount]);
      }
    });
  }
  if (!limit.empty())
    place(limit, [&](double at, double middle) { svg->line(at, middle, at + 28, middle, limitLine); });
  return y + 12;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void take(double value, bool logarithmic) {
    if (!std::isfinite(value) || (logarithmic && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

void drawFrame(Svg& svg, const ChartAxis& x, const ChartAxis& y, const std::vector<double>& yTicks) {
  for (const double tick : yTicks) {
    svg.line(x.from, y.at(tick), x.to, y.at(tick), gridLine);
    svg.text(x.from - 8, y.at(tick) + 4, tickText(tick), 11.5, "end", dark);
  }
  svg.line(x.from, y.from, x.to, y.from, axisLine);
}

/// Tick labels under a row of x positions, leaving out what would touch its left neighbour.
void drawXTicks(Svg& svg, const ChartAxis& x, const ChartAxis& y, const std::set<double>& ticks) {
  double free = -1e9;
  for (const double tick : ticks) {
    const std::string label = tickText(tick);
    const double half = textWidth(label, 11.5) / 2;
    svg.line(x.at(tick), y.from, x.at(tick), y.from + 4, axisLine);
    if (x.at(tick) - half < free) continue;
    svg.text(x.at(tick), y.from + 18, label, 11.5, "middle", dark);
    free = x.at(tick) + half + 3;
  }
}

struct PanelFrame {
  ChartAxis x;
  ChartAxis y;
};

void drawPanel(Svg& svg, const LineChart& chart, const ChartPanel& panel, const PanelFrame& frame,
               const std::set<double>& xTicks, const std::map<std::string, int>& indices) {
  const ChartAxis& x = frame.x;
  const ChartAxis& y = frame.y;
  svg.text(x.from, y.to - 12, panel.title, 13, "start", bold);
  drawFrame(svg, x, y, roundTicks(y.low, y.high, y.logarithmic));
  drawXTicks(svg, x, y, xTicks);
  svg.text((x.from + x.to) / 2, y.from + 38, chart.xLabel, 12, "middle", dark);
  const double middle = (y.from + y.to) / 2;
  const double labelX = x.from - 50;
  svg.text(labelX, middle, chart.yLabel, 12, "middle",
           std::string(dark) + " transform=\"rotate(-90 " + formatFixed(labelX, 1) + " " +
               formatFixed(middle, 1) + ")\"");
  const auto visible = [&](const ChartSeries& series) {
    std::vector<std::pair<double, double>> points;
    for (const ChartPoint& p : series.points) {
      if ((chart.logX && p.x <= 0) || (chart.logY && p.y <= 0) || !std::isfinite(p.y)) continue;
      points.emplace_back(x.at(p.x), y.at(p.y));
    }
    return points;
  };
  const std::string label = std::string(soft) + onWhite;
  // The first is labelled above its right end, the others, which may run into it, below their left ends, or
  // above them where the axis is. Under the series: a label hides no measurement.
  for (const ChartSeries& limit : panel.limits) {
    const auto points = visible(limit);
    if (points.empty()) continue;
    svg.path(points, limitLine);
    const auto& [start, height] = points.front();
    if (&limit == panel.limits.data()) {
      svg.text(x.to - 4, points.back().second - 6, limit.name, 11, "end", label);
    } else {
      const double below = height + 15;
      svg.text(start + 4, below < std::max(y.from, y.to) ? below : height - 6, limit.name, 11, "start",
               label);
    }
  }
  for (const ChartSeries& series : panel.series) {
    const auto points = visible(series);
    const int index = indices.at(series.name);
    svg.path(points, colourStyle(index, 2.2));
    for (const auto& [px, py] : points) svg.marker(index, px, py, 4, colours[index % colourCount]);
  }
}

}  // namespace

ChartSeries& seriesOf(ChartPanel& panel, const std::string& name) {
  const auto at = std::find_if(panel.series.begin(), panel.series.end(),
                               [&](const ChartSeries& s) { return s.name == name; });
  return at != panel.series.end() ? *at : panel.series.emplace_back(ChartSeries{name, {}});
}

std::string toSvg(const LineChart& chart) {
  std::vector<std::string> names;
  std::map<std::string, int> indices;
  Range xs;
  Range ys;
  std::set<double> xTicks;
  for (const ChartPanel& panel : chart.panels) {
    for (const ChartSeries& series : panel.series) {
      if (indices.emplace(series.name, static_cast<int>(names.size())).second) names.push_back(series.name);
      for (const ChartPoint& p : series.points) {
        xs.take(p.x, chart.logX);
        ys.take(p.y, chart.logY);
        if (!chart.logX || p.x > 0) xTicks.insert(p.x);
      }
    }
    for (const ChartSeries& limit : panel.limits) {
      for (const ChartPoint& p : limit.points) ys.take(p.y, chart.logY);
    }
  }
  if (xs.empty() || ys.empty()) {
    xs = {1, 2};
    ys = {1, 2};
  }
  if (xs.low == xs.high) xs = {xs.low * 0.8, xs.high * 1.25 + 1e-9};
  const std::size_t count = std::max<std::size_t>(1, chart.panels.size());
  const int columns = count == 1 ? 1 : count <= 4 ? 2 : 3;
  const int rows =
      static_cast<int>((count + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns));
  const double plotWidth = count == 1 ? 760 : columns == 2 ? 430 : 360;
  const double plotHeight = count == 1 ? 420 : 250;
  const double cellWidth = left + plotWidth + edge;
  const double cellHeight = 44 + plotHeight + 58;
  const double width = columns * cellWidth;
  const double legendTop = 54 + 16 * static_cast<double>(chart.notes.size());
  const double top = drawLegend(nullptr, names, legendTop, width, false, "");
  Svg svg(width, top + rows * cellHeight + 6);
  drawHead(svg, chart.title, chart.notes);
  drawLegend(&svg, names, legendTop, width, false, "");

  const double inset = 14;
  const double low = chart.logY ? ys.low * 0.8 : std::min(0.0, ys.low);
  const double high = chart.logY ? ys.high * 1.35 : ys.high * 1.08 + (ys.high <= low ? 1 : 0);
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    const double x0 = left + static_cast<double>(i % static_cast<std::size_t>(columns)) * cellWidth;
    const double y0 = top + 44 + static_cast<double>(i / static_cast<std::size_t>(columns)) * cellHeight;
    // The data keep off the frame: the axis begins a little before the first value.
    const ChartAxis inner{xs.low, xs.high, x0 + inset, x0 + plotWidth - inset, chart.logX};
    PanelFrame frame{inner, {low, high, y0 + plotHeight, y0, chart.logY}};
    const double share = inset / (plotWidth - 2 * inset);
    frame.x = chart.logX ? ChartAxis{xs.low / std::pow(xs.high / xs.low, share),
                                     xs.high * std::pow(xs.high / xs.low, share), x0, x0 + plotWidth, true}
                         : ChartAxis{xs.low - share * (xs.high - xs.low),
                                     xs.high + share * (xs.high - xs.low), x0, x0 + plotWidth, false};
    drawPanel(svg, chart, chart.panels[i], frame, xTicks, indices);
  }
  return svg.finish(chart.title);
}

std::string toSvg(const BarChart& chart) {
  Range ys;
  bool hasLimit = false;
  for (const BarGroup& group : chart.groups) {
    for (const auto& value : group.values) ys.take(value.value_or(0), false);
    hasLimit = hasLimit || group.limit.has_value();
    ys.take(group.limit.value_or(0), false);
  }
  const double bars = static_cast<double>(std::max<std::size_t>(1, chart.series.size()));
  double labels = 0;
  for (const BarGroup& group : chart.groups) labels = std::max(labels, textWidth(group.label, 11.5) + 14);
  const double barWidth = std::clamp(
      760 / (bars + 1) / static_cast<double>(std::max<std::size_t>(1, chart.groups.size())), 14.0, 44.0);
  const double groupWidth = std::max(labels, barWidth * (bars + 1));
  const double plotWidth = std::max(420.0, groupWidth * static_cast<double>(chart.groups.size()));
  const double width = left + plotWidth + edge;
  const std::string limitLabel = hasLimit ? chart.limitLabel : "";
  const double legendTop = 54 + 16 * static_cast<double>(chart.notes.size());
  const double top = drawLegend(nullptr, chart.series, legendTop, width, true, limitLabel) + 26;
  constexpr double plotHeight = 340;
  Svg svg(width, top + plotHeight + 44);
  drawHead(svg, chart.title, chart.notes);
  drawLegend(&svg, chart.series, legendTop, width, true, limitLabel);

  const ChartAxis x{0, 1, left, left + plotWidth, false};
  const ChartAxis y{0, ys.empty() || ys.high <= 0 ? 1 : ys.high * 1.12, top + plotHeight, top, false};
  drawFrame(svg, x, y, roundTicks(y.low, y.high, false));
  svg.text(left - 50, (y.from + y.to) / 2, chart.yLabel, 12, "middle",
           std::string(dark) + " transform=\"rotate(-90 " + formatFixed(left - 50, 1) + " " +
               formatFixed((y.from + y.to) / 2, 1) + ")\"");
  for (std::size_t g = 0; g < chart.groups.size(); ++g) {
    const BarGroup& group = chart.groups[g];
    const double middle =
        left + plotWidth * (static_cast<double>(g) + 0.5) / static_cast<double>(chart.groups.size());
    const double first = middle - barWidth * bars / 2;
    for (std::size_t s = 0; s < group.values.size(); ++s) {
      if (!group.values[s]) continue;
      const double value = *group.values[s];
      const double x0 = first + barWidth * static_cast<double>(s);
      svg.rectangle(x0 + 1, y.at(value), barWidth - 2, y.from - y.at(value),
                    std::string("fill=\"") + colours[s % colourCount] + "\"");
      if (barWidth >= 24)
        svg.text(x0 + barWidth / 2, y.at(value) - 5,
                 formatFixed(value, value >= 100  ? 0
                                    : value >= 10 ? 1
                                                  : 2),
                 10, "middle", dark);
    }
    if (group.limit)
      svg.line(first - 5, y.at(*group.limit), first + barWidth * bars + 5, y.at(*group.limit), limitLine);
    svg.text(middle, y.from + 20, group.label, 11.5, "middle", dark);
  }
  return svg.finish(chart.title);
}

}  // namespace bankside
