/// Charts as SVG: lines over a size, and bars in groups with the floor drawn. Light ground, colours that
/// colour-blind people tell apart (Okabe and Ito's), and a shape a series beside its colour.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bankside {

struct ChartPoint {
  double x = 0;
  double y = 0;
};

struct ChartSeries {
  std::string name;  ///< same name, same colour and shape in every panel
  std::vector<ChartPoint> points;
};

/// One pair of axes. Limits are dashed lines without markers, labelled where they end.
struct ChartPanel {
  std::string title;
  std::vector<ChartSeries> series;
  std::vector<ChartSeries> limits;
};

/// The series of that name, a new one behind the others if there is none yet.
ChartSeries& seriesOf(ChartPanel& panel, const std::string& name);

/// Panels share colours, legend and axis ranges. A logarithmic axis shows points above 0 only.
struct LineChart {
  std::string title;
  std::vector<std::string> notes;  ///< small print under the title: where it was measured
  std::string xLabel;
  std::string yLabel;
  bool logX = false;
  bool logY = false;
  std::vector<ChartPanel> panels;
};

/// A bar for each series that has a value; the floor is a line across the group.
struct BarGroup {
  std::string label;
  std::vector<std::optional<double>> values;  ///< one a series
  std::optional<double> limit;
};

struct BarChart {
  std::string title;
  std::vector<std::string> notes;
  std::string yLabel;
  std::string limitLabel;  ///< what the groups' lines are: "floor", "FMA limit"
  std::vector<std::string> series;
  std::vector<BarGroup> groups;
};

std::string toSvg(const LineChart& chart);
std::string toSvg(const BarChart& chart);

}  // namespace bankside
