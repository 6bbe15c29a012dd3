#include "core/evaluate/roc_plot.h"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/text.h"

namespace bankside {
namespace {

using Position = std::pair<double, double>;

constexpr double plotSide = 320;
constexpr double margin = 56;
constexpr double gap = 72;
constexpr double legendRow = 18;

// Of M. Okabe and K. Ito, apart for every kind of colour sight.
constexpr std::array<const char*, 5> pointColours = {"#d55e00", "#009e73", "#cc79a7", "#e69f00", "#000000"};
constexpr const char* curveColour = "#0072b2";

std::string at(double value) { return formatFixed(value, 1); }

std::string text(double x, double y, const char* anchor, const std::string& words) {
  return "<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + anchor + "\">" + words +
         "</text>\n";
}

/// A square from 0 to 1 both ways.
class Panel {
 public:
  explicit Panel(double left) : left_(left) {}

  double x(double value) const { return left_ + value * plotSide; }
  static double y(double value) { return margin + (1 - value) * plotSide; }

  std::string axes(const char* across, const char* up) const {
    std::string svg = "<rect x=\"" + at(x(0)) + "\" y=\"" + at(y(1)) + "\" width=\"" + at(plotSide) +
                      "\" height=\"" + at(plotSide) + "\" fill=\"none\" stroke=\"#888\"/>\n";
    for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      svg += text(x(tick), y(0) + 18, "middle", formatFixed(tick, 2));
      svg += text(x(0) - 6, y(tick) + 4, "end", formatFixed(tick, 2));
    }
    svg += text(x(0.5), y(0) + 38, "middle", across);
    return svg + text(x(0), y(1) - 12, "start", up);
  }

  std::string curve(const std::vector<Position>& points) const {
    std::string svg =
        "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" + std::string(curveColour) + "\" points=\"";
    for (const auto& [across, up] : points) svg += at(x(across)) + "," + at(y(up)) + " ";
    return svg + "\"/>\n";
  }

  std::string mark(const Position& point, const char* colour) const {
    if (!std::isfinite(point.first) || !std::isfinite(point.second)) return "";
    return "<circle r=\"4.5\" cx=\"" + at(x(point.first)) + "\" cy=\"" + at(y(point.second)) + "\" fill=\"" +
           colour + "\" stroke=\"#fff\"/>\n";
  }

 private:
  double left_;
};

}  // namespace

std::string rocPlot(const Evaluation& evaluation) {
  const Panel roc(margin);
  const Panel recall(margin + plotSide + gap);
  const double width = 2 * (margin + plotSide) + gap - margin / 2;
  const double legend = Panel::y(0) + 62;
  const double height = legend + legendRow * static_cast<double>(evaluation.points.size() + 1);

  std::vector<Position> rates = {{0, 0}};
  std::vector<Position> precisions;
  for (const RocCurve::Point& p : evaluation.pooled.points) {
    rates.emplace_back(p.falsePositiveRate, p.recall);
    precisions.emplace_back(p.recall, p.precision);
  }
  std::string svg = std::string(plotBeginning) + " xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
                    at(width) + "\" height=\"" + at(height) + "\" viewBox=\"0 0 " + at(width) + " " +
                    at(height) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
                    "fill=\"#fff\"/>\n";
  svg += roc.axes("1 - specificity", "sensitivity");
  svg += recall.axes("recall (sensitivity)", "precision");
  svg += roc.curve(rates) + recall.curve(precisions);
  svg += text(margin, legend, "start",
              "AUC " + formatFixed(evaluation.pooledArea.value, 4) + ", average precision " +
                  formatFixed(evaluation.pooled.averagePrecision, 4) + ", " +
                  std::to_string(evaluation.images.size()) + " image(s), pooled");
  for (std::size_t i = 0; i < evaluation.points.size(); ++i) {
    const OperatingPoint& point = evaluation.points[i];
    const Confusion& c = point.pooled.confusion;
    const char* colour = pointColours.at(i % pointColours.size());
    svg += roc.mark({1 - c.specificity(), c.sensitivity()}, colour);
    svg += recall.mark({c.sensitivity(), c.precision()}, colour);
    const double row = legend + legendRow * static_cast<double>(i + 1);
    svg += "<circle r=\"4.5\" cx=\"" + at(margin + 5) + "\" cy=\"" + at(row - 4) + "\" fill=\"" + colour +
           "\"/>\n";
    svg += text(margin + 16, row, "start", point.name + ": MCC " + formatFixed(c.mcc(), 4));
  }
  return svg + "</svg>\n";
}

}  // namespace bankside
