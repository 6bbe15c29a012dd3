/// The few SVG elements that charts are made of, as text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankside {

/// Builds one SVG document. Coordinates in pixels from the top left; `style` is attributes as they stand.
class Svg {
 public:
  Svg(double width, double height) : width_(width), height_(height) {}

  void line(double x1, double y1, double x2, double y2, std::string_view style);
  void rectangle(double x, double y, double width, double height, std::string_view style);
  void path(const std::vector<std::pair<double, double>>& points, std::string_view style);
  /// Shapes that differ without colour: disc, square, triangle, diamond, cross, inverted triangle, then
  /// again.
  void marker(int shape, double x, double y, double radius, std::string_view colour);
  /// `content` is escaped; the anchor is "start", "middle" or "end".
  void text(double x, double y, std::string_view content, double size, std::string_view anchor,
            std::string_view style);

  /// The document on a white ground, with its title for screen readers.
  std::string finish(std::string_view title) const;

 private:
  double width_;
  double height_;
  std::string body_;
};

/// Width of a text in pixels, near enough to place what stands beside it.
double textWidth(std::string_view content, double size);

/// &, <, >, quotes as entities; bytes below the space that XML forbids become spaces.
std::string xmlEscaped(std::string_view text);

}  // namespace bankside
