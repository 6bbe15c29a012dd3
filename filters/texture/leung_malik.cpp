/// The Leung-Malik bank: edges and bars of three widths in six directions, and round filters of four.
///   g(t; s) = exp(-t^2 / (2 s^2))      v along the filter, u across it
///   edge = -u / s^2 g(u; s) g(v; 3 s)      bar = (u^2 / s^2 - 1) / s^2 g(u; s) g(v; 3 s)
///   round ones of each blob width b: g(r; b), and the Laplacian (r^2 - 2 w^2) / w^4 g(r; w) of w = b and 3 b
///   taps = (f - mean of f) / sum of |f - mean of f|, over a square of `size`
/// The mean is taken off the whole square, so that none of it is empty. Kinds alone make other banks: the
/// edges and bars of widths 1, 2 and 4 with a Gaussian and a Laplacian of 10 are the RFS set, whose largest
/// answers over the directions are MR8 (recipe `mr8`). Source  T. Leung, J. Malik, 2001; M. Varma, A.
/// Zisserman, 2005. Deviations: none in the taps but for the
///         sense of rotation and the sign of an edge, which falls along u as `vessel-fdog` does.
#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "filters/taps/banks.h"
#include "filters/taps/orientation.h"
#include "filters/taps/parameters.h"

namespace bankside {
namespace {

Filter finished(TapGrid taps, std::string label, double scale) {
  const TapGrid ones(taps.height(), taps.width(), [](double, double) { return 1.0; });
  taps.add(-taps.sum() / ones.sum(), ones);
  taps *= 1 / taps.magnitude();
  Filter filter = taps.toFilter(std::move(label));
  filter.scale = scale;
  return filter;
}

/// Three times 1.4142 is not quite 4.2426.
std::string labelOf(const char* kind, double width) {
  return kind + ("-" + formatNumber(std::round(width * 1e6) / 1e6));
}

class Maker {
 public:
  Maker(const BankArguments& arguments, std::vector<Filter>& filters)
      : size_(arguments.integer("size")),
        directions_(halfTurn(arguments.integer("orientations"))),
        filters_(filters) {}

  void addOriented(const char* kind, double s, const std::function<double(double u)>& across) {
    for (const Direction& direction : directions_) {
      TapGrid taps = orientedGrid(size_ / 2, direction, [&](double u, double v) {
        return across(u) * std::exp(-u * u / (2 * s * s) - v * v / (18 * s * s));
      });
      filters_.push_back(
          finished(std::move(taps), labelOf(kind, s) + "-" + orientationLabel(direction.degrees), s));
      filters_.back().orientation = direction.degrees;
    }
  }
  void addRound(const char* kind, double w, const std::function<double(double squared)>& factor) {
    TapGrid taps(size_, size_, [&](double x, double y) {
      const double squared = x * x + y * y;
      return factor(squared) * std::exp(-squared / (2 * w * w));
    });
    filters_.push_back(finished(std::move(taps), labelOf(kind, w), w));
  }
  void addLaplacian(double w) {
    addRound("laplacian", w, [w](double squared) { return squared - 2 * w * w; });
  }

 private:
  int size_;
  std::vector<Direction> directions_;
  std::vector<Filter>& filters_;
};

std::vector<Filter> generate(const BankArguments& arguments) {
  const std::string& kinds = arguments.text("kinds");
  const auto wanted = [&](const char* kind) { return kinds == "all" || kinds == kind; };
  std::vector<Filter> filters;
  Maker maker(arguments, filters);
  const std::vector<double> widths = arguments.numbers("sigma");
  if (wanted("edges")) {
    for (const double s : widths) maker.addOriented("edge", s, [](double u) { return -u; });
  }
  if (wanted("bars")) {
    for (const double s : widths) maker.addOriented("bar", s, [s](double u) { return u * u / (s * s) - 1; });
  }
  if (wanted("round")) {
    const std::vector<double> blobs = arguments.numbers("blobs");
    for (const double b : blobs) maker.addRound("gaussian", b, [](double) { return 1.0; });
    for (const double b : blobs) maker.addLaplacian(b);
    for (const double b : blobs) {
      if (std::find(blobs.begin(), blobs.end(), 3 * b) == blobs.end()) maker.addLaplacian(3 * b);
    }
  }
  return filters;
}

}  // namespace

CatalogEntry leungMalikBank() {
  return {
      .name = "leung-malik",
      .family = "texture",
      .title = "Leung and Malik's edges, bars and blobs: 48 filters",
      .citation =
          "T. Leung, J. Malik. Representing and recognizing the visual appearance of materials using "
          "three-dimensional textons. International Journal of Computer Vision 43(1):29-44, 2001; taps as "
          "M. Varma, A. Zisserman, International Journal of Computer Vision 62:61-81, 2005",
      .parameters = {{.name = "sigma",
                      .description = "standard deviations across edges and bars in pixels, a third of those "
                                     "along them",
                      .defaultValue = "1.4142/2/2.8284",
                      .kind = ParameterKind::NumberList,
                      .min = 0.3,
                      .max = 20},
                     orientationsParameter("6"),
                     {.name = "blobs",
                      .description = "standard deviations of the round filters in pixels",
                      .defaultValue = "1.4142/2/2.8284/4",
                      .kind = ParameterKind::NumberList,
                      .min = 0.3,
                      .max = 20},
                     {.name = "kinds",
                      .description = "which of them",
                      .defaultValue = "all",
                      .kind = ParameterKind::Choice,
                      .choices = {"all", "edges", "bars", "round"}},
                     sideParameter("49", ParameterKind::OddInteger, 3)},
      .recipe = "mr8",
      .generate = generate};
}

}  // namespace bankside
