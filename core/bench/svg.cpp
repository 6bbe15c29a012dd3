#include "core/bench/svg.h"

#include "core/text.h"

namespace bankside {
namespace {

std::string pixels(double value) {
  std::string text = formatFixed(value, 1);
  if (text.size() > 2 && text.substr(text.size() - 2) == ".0") text.resize(text.size() - 2);
  return text;
}

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + pixels(value) + "\"";
}

std::string pointList(const std::vector<std::pair<double, double>>& points) {
  std::string text;
  for (const auto& [x, y] : points) text += (text.empty() ? "" : " ") + pixels(x) + "," + pixels(y);
  return text;
}

}  // namespace

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) +
           " " + std::string(style) + "/>\n";
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view style) {
  body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
           attribute("height", height) + " " + std::string(style) + "/>\n";
}

void Svg::path(const std::vector<std::pair<double, double>>& points, std::string_view style) {
  body_ += "<polyline points=\"" + pointList(points) + "\" fill=\"none\" " + std::string(style) + "/>\n";
}

void Svg::marker(int shape, double x, double y, double r, std::string_view colour) {
  const std::string style = "fill=\"" + std::string(colour) + "\" stroke=\"#ffffff\" stroke-width=\"1\"";
  const auto polygon = [&](const std::vector<std::pair<double, double>>& points) {
    body_ += "<polygon points=\"" + pointList(points) + "\" " + style + "/>\n";
  };
  switch (shape % 6) {
    case 0:
      body_ += "<circle" + attribute("cx", x) + attribute("cy", y) + attribute("r", r) + " " + style + "/>\n";
      break;
    case 1: polygon({{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}}); break;
    case 2: polygon({{x, y - 1.2 * r}, {x + 1.2 * r, y + r}, {x - 1.2 * r, y + r}}); break;
    case 3: polygon({{x, y - 1.4 * r}, {x + 1.4 * r, y}, {x, y + 1.4 * r}, {x - 1.4 * r, y}}); break;
    case 4: {
      const double a = 1.3 * r;
      const double b = 0.45 * r;
      polygon({{x - b, y - a},
               {x + b, y - a},
               {x + b, y - b},
               {x + a, y - b},
               {x + a, y + b},
               {x + b, y + b},
               {x + b, y + a},
               {x - b, y + a},
               {x - b, y + b},
               {x - a, y + b},
               {x - a, y - b},
               {x - b, y - b}});
      break;
    }
    default: polygon({{x - 1.2 * r, y - r}, {x + 1.2 * r, y - r}, {x, y + 1.2 * r}}); break;
  }
}

void Svg::text(double x, double y, std::string_view content, double size, std::string_view anchor,
               std::string_view style) {
  body_ += "<text" + attribute("x", x) + attribute("y", y) + attribute("font-size", size) +
           " text-anchor=\"" + std::string(anchor) + "\" " + std::string(style) + ">" + xmlEscaped(content) +
           "</text>\n";
}

std::string Svg::finish(std::string_view title) const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width_) +
         attribute("height", height_) + " viewBox=\"0 0 " + pixels(width_) + " " + pixels(height_) +
         "\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\" role=\"img\">\n<title>" +
         xmlEscaped(title) + "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + body_ +
         "</svg>\n";
}

double textWidth(std::string_view content, double size) {
  double letters = 0;
  for (const char c : content) letters += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return 0.6 * size * letters;
}

std::string xmlEscaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

}  // namespace bankside
