/// Charts are well-formed XML and show what they were given.
#include "core/bench/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/bench/bench_chart.h"
#include "core/bench/chart_axis.h"
#include "core/bench/svg.h"

namespace bankside {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Empty if `text` is one element with properly nested children, quoted attributes and known entities; else
/// what is wrong.
std::string xmlOffence(const std::string& text) {
  std::vector<std::string> open;
  bool any = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '&') {
      const std::string entity = text.substr(i, text.find(';', i) - i + 1);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;")
        return "entity " + entity;
    }
    if (text[i] != '<') {
      if (text[i] == '>') return "a stray >";
      if (open.empty() && text[i] != '\n') return "text outside the root";
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    bool quoted = false;
    for (; end < text.size() && (quoted || text[end] != '>'); ++end) {
      if (text[end] == '"') quoted = !quoted;
      if (text[end] == '<') return "a < inside a tag";
    }
    if (end == text.size()) return "a tag without an end";
    const std::string tag = text.substr(i + 1, end - i - 1);
    const std::string name =
        tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" /", 1) - (tag[0] == '/' ? 1 : 0));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != name) return "</" + name + "> closes nothing";
      open.pop_back();
    } else if (tag.back() != '/') {
      if (open.empty() && any) return "two roots";
      open.push_back(name);
      any = true;
    }
    i = end + 1;
  }
  return open.empty() && any ? "" : "not closed";
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

TEST(XmlOffence, FindsThem) {
  EXPECT_EQ(xmlOffence("<a><b x=\"1\"/>t</a>\n"), "");
  for (const char* bad : {"<a>", "<a></b>", "<a/>x", "<a>&nbsp;</a>", "<a></a><b></b>", "<a <b>></a>"})
    EXPECT_NE(xmlOffence(bad), "") << bad;
}

LineChart lines() {
  return {
      .title = "Speed & <size>",
      .notes = {"a machine"},
      .xLabel = "K",
      .yLabel = "GFLOP/s",
      .logX = true,
      .logY = true,
      .panels = {{.title = "one",
                  .series = {{"ours", {{3, 50}, {5, 100}, {7, 110}}}, {"theirs", {{3, 20}, {5, 0}, {7, 30}}}},
                  .limits = {{"limit", {{3, 120}, {7, 120}}}}}}};
}

TEST(LineChartSvg, IsWellFormedAndEscapes) {
  const std::string svg = toSvg(lines());
  EXPECT_EQ(xmlOffence(svg), "");
  EXPECT_THAT(svg, HasSubstr("Speed &amp; &lt;size&gt;"));
  EXPECT_THAT(svg, HasSubstr("a machine"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(LineChartSvg, DrawsEveryPointThatAnAxisHas) {
  const std::string svg = toSvg(lines());
  EXPECT_EQ(count(svg, "<circle"), 3u + 1);  // the first series' discs and the legend's
  EXPECT_EQ(count(svg, "stroke-dasharray"), 1u);
  // Squares are polygons; a logarithmic axis has no zero.
  EXPECT_EQ(count(svg, "<polygon"), 2u + 1);
}

TEST(LineChartSvg, HoldsWithNothingInIt) {
  LineChart chart = lines();
  chart.panels.clear();
  EXPECT_EQ(xmlOffence(toSvg(chart)), "");
  chart.panels.resize(7);
  EXPECT_EQ(xmlOffence(toSvg(chart)), "");
}

TEST(BarChartSvg, DrawsBarsAndTheirLimits) {
  const BarChart chart{.title = "Groups",
                       .notes = {},
                       .yLabel = "ms",
                       .limitLabel = "floor",
                       .series = {"a", "b"},
                       .groups = {{"K 3", {1.0, 2.0}, 0.5}, {"K 5", {3.0, std::nullopt}, std::nullopt}}};
  const std::string svg = toSvg(chart);
  EXPECT_EQ(xmlOffence(svg), "");
  EXPECT_EQ(count(svg, "<rect"), 1u + 2 + 3);         // ground, legend, bars
  EXPECT_EQ(count(svg, "stroke-dasharray"), 1u + 1);  // legend, the one group with a floor
  EXPECT_EQ(xmlOffence(toSvg(BarChart{})), "");
}

TEST(ChartAxis, MapsItsEndsAndTicksRoundly) {
  const ChartAxis axis{2, 32, 100, 500, true};
  EXPECT_DOUBLE_EQ(axis.at(2), 100);
  EXPECT_DOUBLE_EQ(axis.at(8), 300);
  EXPECT_DOUBLE_EQ(axis.at(32), 500);
  EXPECT_EQ(roundTicks(8, 150, true), (std::vector<double>{10, 20, 50, 100}));
  EXPECT_EQ(roundTicks(0, 10, false), (std::vector<double>{0, 2, 4, 6, 8, 10}));
}

TEST(BenchChart, OneFilterSizeGivesBars) {
  BenchReport report;
  for (const char* engine : {"cpu:direct", "opencv:filter2D"}) {
    for (const int k : {3, 5}) {
      BenchRow row;
      row.cell = {.size = 512, .filterSize = k, .filterCount = 12};
      row.engine = engine;
      row.endToEnd = Interval{1e-3, 1e-3, 1e-3};
      row.flops = 1e7 * k;
      row.flopsLimit = 1e11;
      row.floorSeconds = 1e-4 * k;
      report.rows.push_back(row);
    }
  }
  const std::string linesSvg = benchChart(report);
  EXPECT_EQ(xmlOffence(linesSvg), "");
  EXPECT_THAT(linesSvg, HasSubstr("FMA limit"));
  EXPECT_THAT(linesSvg, HasSubstr("<polyline"));
  std::erase_if(report.rows, [](const BenchRow& row) { return row.cell.filterSize == 5; });
  const std::string bars = benchChart(report);
  EXPECT_EQ(xmlOffence(bars), "");
  EXPECT_THAT(bars, Not(HasSubstr("<polyline")));
  EXPECT_THAT(bars, HasSubstr("cpu:direct"));
}

}  // namespace
}  // namespace bankside
